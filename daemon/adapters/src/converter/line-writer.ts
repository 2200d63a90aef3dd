import type { Body, EventBody, EventType } from "@muster/schema";
import { type LeftOutTable, requests } from "./left-out.ts";

/** How the events of a session are said in the lines of one agent. Called in the order of the log, for all of it. */
export interface Transcript<Native> {
  /** type → its lines. */
  readonly says: { readonly [T in EventType]?: (data: Body<T>["data"]) => readonly Native[] };
  /** An event that is left out, where a later line needs to know of it. */
  skip?(body: EventBody): void;
}

export interface WriterOptions {
  /** Questions and permissions too, where the agent has a line for them. */
  requests?: boolean;
}

/** Writes any session in the lines of one agent; what the agent cannot say is left out and counted. */
export class LineWriter<Native = object> {
  readonly #transcript: Transcript<Native>;
  readonly #rows: LeftOutTable["events"];
  #isInTurn = false;
  readonly #leftOut = new Map<string, number>();

  constructor(transcript: Transcript<Native>, table: LeftOutTable, options: WriterOptions = {}) {
    this.#transcript = transcript;
    this.#rows = options.requests ? table.events.filter((row) => row !== requests) : table.events;
  }

  write(body: EventBody): readonly Native[] {
    let isLeftOut = false;
    if (body.type === "turn.started") this.#isInTurn = true;
    const isInTurn = this.#isInTurn;
    if (body.type === "turn.ended") this.#isInTurn = false;
    for (const { what, rest } of this.#rows) {
      const left = rest(body, isInTurn);
      if (left === body) continue;
      this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
      isLeftOut ||= Array.isArray(left) && left.length === 0;
    }
    if (isLeftOut) this.#transcript.skip?.(body);
    const say = isLeftOut ? undefined : this.#transcript.says[body.type];
    return (say as ((data: unknown) => readonly Native[]) | undefined)?.(body.data) ?? [];
  }

  /** What was left out so far → how often. */
  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
  }
}
