import { agentLines } from "../../converter/agent-lines.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { opencodeConverter } from "../converter.ts";
import { opencodeLogReader, settingsOf } from "../read/log-reader.ts";
import { opencodeLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { OpencodeTranscript } from "./transcript.ts";

/** The name the lines of other agents' sessions carry. */
const sessionID = "ses_muster";

export const opencodeLines = agentLines({
  reader: opencodeLogReader,
  transcript: () => new OpencodeTranscript(sessionID),
  input: inputLines(opencodeConverter(settingsOf(sessionID)), commandOf),
  leftOut: opencodeLeftOut,
});
