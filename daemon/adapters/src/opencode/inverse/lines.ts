import type { AgentLines } from "../../converter/agent-lines.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { LineWriter } from "../../converter/line-writer.ts";
import { opencodeConverter } from "../converter.ts";
import { opencodeLogReader, settingsOf } from "../read/log-reader.ts";
import { opencodeLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { OpencodeTranscript } from "./transcript.ts";

/** The name the lines of other agents' sessions carry. */
const sessionID = "ses_muster";

export const opencodeLines: AgentLines = {
  events: {
    reader: opencodeLogReader,
    writer: (options) => new LineWriter(new OpencodeTranscript(sessionID), opencodeLeftOut, options),
  },
  input: inputLines(opencodeConverter(settingsOf(sessionID)), commandOf),
  leftOut: opencodeLeftOut,
};
