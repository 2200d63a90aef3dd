import { readFileSync } from "node:fs";

/**
 * Whether the kernel may have dropped changes. It says so in an event that Node swallows; but it drops only when its queue
 * is full, and then as many events come at once as the queue holds. Half of that counts as too many.
 */
export class EventBurst {
  readonly #most = queueLength() / 2;
  #count = 0;

  /** One more came; true once for each burst that was too long. */
  add(): boolean {
    // What is read in one go of the event loop was in the queue together.
    if (this.#count++ === 0) setImmediate(() => (this.#count = 0));
    return this.#count === Math.floor(this.#most);
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8")) || 16_384;
  } catch {
    return 16_384; // The kernel's own default, where it is not told.
  }
}
