import type { EventBody } from "@muster/schema";
import type { EventException } from "./event-exception.ts";

/** How the events of a session are said in the lines of one agent. Called in the order of the log, for all of it. */
export interface Transcript<Native> {
  lines(body: EventBody): readonly Native[];
}

/** Writes any session in the lines of one agent; what the agent cannot say is left out and counted. */
export class LineWriter<Native = object> {
  readonly #transcript: Transcript<Native>;
  readonly #exceptions: readonly EventException[];
  #isInTurn = false;
  readonly #leftOut = new Map<string, number>();

  constructor(transcript: Transcript<Native>, exceptions: readonly EventException[]) {
    this.#transcript = transcript;
    this.#exceptions = exceptions;
  }

  write(body: EventBody): readonly Native[] {
    let isLeftOut = false;
    if (body.type === "turn.started") this.#isInTurn = true;
    const isInTurn = this.#isInTurn;
    if (body.type === "turn.ended") this.#isInTurn = false;
    for (const { what, holds, partly } of this.#exceptions) {
      if (!holds(body, isInTurn)) continue;
      this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
      isLeftOut ||= partly !== true;
    }
    return isLeftOut ? [] : this.#transcript.lines(body);
  }

  /** What was left out so far → how often. */
  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
  }
}
