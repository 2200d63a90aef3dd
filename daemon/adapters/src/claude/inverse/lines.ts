import { agentLines } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";
import { claudeConverter } from "../converter.ts";
import { claudeLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { ClaudeTranscript } from "./transcript.ts";

export const claudeLines = agentLines({
  reader: () => new EventReader(claudeConverter, (line) => textOf(asInput(line).session_id)),
  transcript: () => new ClaudeTranscript(),
  input: inputLines(claudeConverter, commandOf),
  leftOut: claudeLeftOut,
});
