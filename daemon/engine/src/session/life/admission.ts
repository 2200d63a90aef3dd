import { Failure } from "@muster/schema/wire";
import type { EventLog } from "../../event-log/index.ts";

/** Whether a session still takes requests: not while the daemon stops, and not once the disk has failed. */
export class Admission {
  readonly #sessionId: string;
  readonly #log: EventLog;
  #isClosed = false;

  constructor(sessionId: string, log: EventLog) {
    this.#sessionId = sessionId;
    this.#log = log;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Throws when nothing is taken any more. */
  check(): void {
    // With its reason, as whoever met it first was told.
    if (this.#log.failed) throw this.#log.failed;
    const sessionId = this.#sessionId;
    if (this.#isClosed) throw new Failure("shutting_down", "The session is being closed", { sessionId });
  }
}
