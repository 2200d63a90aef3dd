import { setImmediate } from "node:timers/promises";
import type { Clock } from "../src/index.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when nothing else can happen: waits of minutes cost nothing and always end in the same order. */
export class VirtualClock implements Clock {
  #now = 1_000_000;
  #ids = 0;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#now + ms, wake };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  /** Does something at a moment from now. */
  after(ms: number, action: () => void): void {
    this.#sleepers.push({ at: this.#now + ms, wake: action });
  }

  newId(kind: "agent" | "call"): string {
    return `${kind}-${++this.#ids}`;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Waits for a promise, moving time on whenever everything else has come to rest. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    work.then(settle, settle);
    for (let idle = 0; !isSettled; idle++) {
      await setImmediate();
      if (isSettled || idle < 2) continue;
      const [next] = this.#sleepers.sort((one, other) => one.at - other.at);
      if (next === undefined) {
        if (idle > 1_000) throw new Error("Nothing is left that could happen, and the work is not done");
        continue;
      }
      this.#sleepers.shift();
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      idle = 0;
    }
    return work;
  }
}
