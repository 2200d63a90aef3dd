import type { GatewayLog } from "../log.ts";

const pauseMs = 60_000;

/**
 * Keys that open nothing, as the person at the daemon is told of them: the first at once, those of the next minute as a number
 * with the one after it. An agent that asks again and again fills no log.
 */
export class MisuseLog {
  readonly #log: GatewayLog;
  readonly #now: () => number;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #untold = 0;

  constructor(log: GatewayLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  tell(message: string, fields: { path: string }): void {
    const now = this.#now();
    if (now < this.#quietUntil) {
      this.#untold++;
      return;
    }
    this.#quietUntil = now + pauseMs;
    const untold = this.#untold === 0 ? {} : { alsoRefused: this.#untold };
    this.#untold = 0;
    this.#log("warn", `a request to the gateway was refused: ${message}`, { ...fields, ...untold });
  }
}
