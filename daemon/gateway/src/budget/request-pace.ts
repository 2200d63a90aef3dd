const minute = 60_000;
/** Longer than this nobody waits: agents and the clocks of turns would take the silence for a fault. */
const longestWaitMs = 2 * minute;

/** When the next request may go, so that no minute sees more than its number. Beyond two minutes it says when to come again. */
export class RequestPace {
  /** When each of the newest requests goes or went, in order; some of them later than now. */
  #times: number[] = [];

  take(perMinute: number, now: number): { waitMs: number } | { retryMs: number } {
    this.#times = this.#times.filter((time) => time > now - minute);
    const before = this.#times.at(-perMinute);
    const at = before === undefined ? now : Math.max(now, before + minute);
    if (at - now > longestWaitMs) return { retryMs: at - now };
    this.#times.push(at);
    return { waitMs: at - now };
  }
}
