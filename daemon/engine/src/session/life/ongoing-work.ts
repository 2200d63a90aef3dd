import { Failure } from "@muster/schema/wire";
import type { EngineLog } from "../../engine-log.ts";

/** How long an end waits for work that does not finish; what it is, is then in the log. */
const longestWaitMs = 30_000;

/** The work that is under way for one owner: what its caller waits for, and what nobody waits for. The owner ends when it has. */
export class OngoingWork {
  readonly #log: EngineLog;
  readonly #fields: Record<string, unknown>;
  readonly #running = new Map<Promise<unknown>, string>();
  #hasEnded = false;

  /** `fields` stand in each line of the log, such as the id of the session. */
  constructor(log: EngineLog, fields: Record<string, unknown> = {}) {
    this.#log = log;
    this.#fields = fields;
  }

  /** Does work its caller waits for. Throws `shutting_down` once everything has ended. */
  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw new Failure("shutting_down", `It is too late to ${what}`, this.#fields);
    const doing = work();
    this.#running.set(doing, what);
    try {
      return await doing;
    } finally {
      this.#running.delete(doing);
    }
  }

  /** Takes work nobody waits for: when it breaks, that is seen in the log. */
  background(what: string, work: Promise<unknown>): void {
    this.#running.set(work, what);
    const done = () => this.#running.delete(work);
    // Every turn begins several: none of them costs more than this one promise.
    work.then(done, (error: unknown) => {
      done();
      // A failure has been told where it arose: as an event, or to the caller who asked.
      if (error instanceof Failure) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#log("error", `could not ${what}`, { ...this.#fields, error: text });
    });
  }

  /** Resolves when nothing is under way, also of what began meanwhile; `run` refuses from then on. */
  async end(): Promise<void> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), longestWaitMs).unref();
    const late = new Promise<void>((resolve) => limit.signal.addEventListener("abort", () => resolve()));
    while (this.#running.size > 0 && !limit.signal.aborted) {
      await Promise.race([late, Promise.allSettled(this.#running.keys())]);
    }
    clearTimeout(timer);
    this.#hasEnded = true;
    if (this.#running.size === 0) return;
    this.#log("error", "work does not end", { ...this.#fields, work: [...this.#running.values()] });
  }
}
