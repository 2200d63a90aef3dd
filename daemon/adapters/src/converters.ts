/** The public entry `@muster/adapters/converters`: any agent's own lines → events, and events → any agent's own lines. */
import type { EventBody } from "@muster/schema";
import { ampConverter } from "./amp/converter.ts";
import { ampWriter } from "./amp/inverse/transcript.ts";
import { claudeConverter } from "./claude/converter.ts";
import { claudeWriter } from "./claude/inverse/transcript.ts";
import { codebuffWriter } from "./codebuff/inverse/transcript.ts";
import { codebuffLogReader } from "./codebuff/read/log-reader.ts";
import { codexWriter } from "./codex/inverse/transcript.ts";
import { codexLogReader } from "./codex/read/log-reader.ts";
import { EventReader } from "./converter/event-reader.ts";
import { mockConverter } from "./mock/converter.ts";
import { mockWriter } from "./mock/inverse/transcript.ts";
import { opencodeWriter } from "./opencode/inverse/transcript.ts";
import { opencodeLogReader } from "./opencode/read/log-reader.ts";

/** Both ways of one agent. A reader or writer is for one session, from its first line to its last; nothing is kept of what is over. */
export interface AgentLines {
  reader(): LinesReader;
  writer(): LinesWriter;
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

/** agent → its lines, both ways */
export const converters: Readonly<Record<string, AgentLines>> = {
  claude: { reader: () => new EventReader(claudeConverter), writer: claudeWriter },
  codex: { reader: codexLogReader, writer: codexWriter },
  opencode: { reader: opencodeLogReader, writer: opencodeWriter },
  amp: { reader: () => new EventReader(ampConverter), writer: ampWriter },
  codebuff: { reader: codebuffLogReader, writer: codebuffWriter },
  mock: { reader: () => new EventReader(mockConverter), writer: mockWriter },
};
