import type { AgentLines } from "../../converter/agent-lines.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { LineWriter } from "../../converter/line-writer.ts";
import { codebuffConverter } from "../converter.ts";
import { codebuffLogReader } from "../read/log-reader.ts";
import { codebuffLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { CodebuffTranscript } from "./transcript.ts";

export const codebuffLines: AgentLines = {
  events: {
    reader: codebuffLogReader,
    writer: (options) => new LineWriter(new CodebuffTranscript(), codebuffLeftOut, options),
  },
  input: inputLines(codebuffConverter, commandOf),
  leftOut: codebuffLeftOut,
};
