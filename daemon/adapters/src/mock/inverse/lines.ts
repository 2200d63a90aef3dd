import { agentLines } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { mockConverter } from "../converter.ts";
import { mockLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { mockTranscript } from "./transcript.ts";

export const mockLines = agentLines({
  reader: () => new EventReader(mockConverter),
  transcript: () => mockTranscript,
  input: inputLines(mockConverter, commandOf),
  leftOut: mockLeftOut,
});
