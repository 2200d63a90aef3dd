import type { Readable } from "node:stream";
import { settlesWithin } from "@muster/core";

/** What a dead life left in its pipe is read at once; only a process that escaped us can hold the pipe longer. */
const drainMs = 1_000;

/**
 * The stdout of a child. Node makes a pipe flow when its process exits, whether anybody listens or not; here what comes
 * at the wrong moment is held until it is wanted.
 */
export class OutputPipe {
  /** Nothing more will come. */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  #held: Buffer[] = [];
  #onChunk: ((chunk: Buffer) => void) | undefined;
  #paused = true;
  #draining = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.pause();
    this.ended = new Promise((resolve) => stream.once("close", resolve));
  }

  /** Chunks flow from here on. Not reading, or pausing, pauses the child. */
  read(onChunk: (chunk: Buffer) => void): void {
    this.#onChunk = onChunk;
    this.resume();
  }

  pause(): void {
    if (this.#draining) return;
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused && this.#held.length > 0) this.#onChunk?.(this.#held.shift() as Buffer);
    if (!this.#paused) this.#stream.resume();
  }

  /** After the death of the child: the rest comes now, paused or not, for it is at most what a pipe holds. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.resume();
    if (!(await settlesWithin(this.ended, drainMs))) this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    if (!this.#paused) {
      this.#onChunk?.(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#stream.pause();
  }
}
