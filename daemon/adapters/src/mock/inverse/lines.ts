import type { AgentLines } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { LineWriter } from "../../converter/line-writer.ts";
import { mockConverter } from "../converter.ts";
import { mockLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { linesOf } from "./transcript.ts";

export const mockLines: AgentLines = {
  events: {
    reader: () => new EventReader(mockConverter),
    writer: (options) => new LineWriter({ lines: linesOf }, mockLeftOut, options),
  },
  input: inputLines(mockConverter, commandOf),
  leftOut: mockLeftOut,
};
