import { agentLines } from "../../converter/agent-lines.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { codebuffConverter } from "../converter.ts";
import { codebuffLogReader } from "../read/log-reader.ts";
import { codebuffLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { CodebuffTranscript } from "./transcript.ts";

export const codebuffLines = agentLines({
  reader: codebuffLogReader,
  transcript: () => new CodebuffTranscript(),
  input: inputLines(codebuffConverter, commandOf),
  leftOut: codebuffLeftOut,
});
