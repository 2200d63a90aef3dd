import type { EventBody } from "@muster/schema";
import type { InputLines } from "./input-lines.ts";
import type { LeftOutTable } from "./left-out.ts";
import { LineWriter, type Transcript, type WriterOptions } from "./line-writer.ts";

/** The four directions of one agent, and what is lost on the two ways to it. */
export interface AgentLines {
  /** A reader or writer is for one session, from its first line to its last; nothing is kept of what is over. */
  events: { reader(): LinesReader; writer(options?: WriterOptions): LinesWriter };
  input: InputLines;
  leftOut: LeftOutTable;
}

export interface LinesReader {
  /** The events that follow from one more line; what is not understood is `agent.unparsed`. */
  line(line: string): EventBody[];
  /** The events that follow from there being no more lines. */
  end(): EventBody[];
}

export interface LinesWriter {
  /** The lines with which the agent would have said it, as values to be written as JSON. */
  write(body: EventBody): readonly object[];
  /** What the agent could not say → how often. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Of a reader, of how an agent says events, and of its input. */
export function agentLines<Native extends object>(parts: {
  reader: () => LinesReader;
  transcript: () => Transcript<Native>;
  input: InputLines;
  leftOut: LeftOutTable;
}): AgentLines {
  const { reader, transcript, input, leftOut } = parts;
  return { events: { reader, writer: (options) => new LineWriter(transcript(), leftOut, options) }, input, leftOut };
}
