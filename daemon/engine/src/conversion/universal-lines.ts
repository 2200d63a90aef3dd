import type { EventBody } from "@muster/schema";
import { EventLines } from "../event-log/index.ts";

/** Events without a session as the lines of a log: numbered, timed now, each in the turn it was told in. */
export class UniversalLines {
  readonly #lines: EventLines;
  #sequence = 0;
  #turnId: string | undefined;

  constructor(sessionId: string) {
    this.#lines = new EventLines(sessionId);
  }

  write(body: EventBody): string {
    if (body.type === "turn.started") this.#turnId = body.data.turnId;
    const turnId = body.type.startsWith("session.") ? undefined : this.#turnId;
    if (body.type === "turn.ended") this.#turnId = undefined;
    const time = this.#lines.timeOf(Date.now());
    return this.#lines.line(++this.#sequence, time, { source: "agent", turnId, body });
  }
}
