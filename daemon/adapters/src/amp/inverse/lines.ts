import { agentLines, type LinesReader } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { inputLines } from "../../converter/input-lines.ts";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";
import { ampConverter } from "../converter.ts";
import { ampLeftOut } from "./left-out.ts";
import { commandOf } from "./to-command.ts";
import { AmpTranscript } from "./transcript.ts";

export const ampLines = agentLines({
  reader: ampLogReader,
  transcript: () => new AmpTranscript(),
  input: inputLines(ampConverter, commandOf, () => openTurn),
  leftOut: ampLeftOut,
});

/** A process that told a failure has ended; the channel of a life of ours tells that apart. */
function ampLogReader(): LinesReader {
  const reader = new EventReader(ampConverter, (line) => textOf(asInput(line).session_id));
  const ended = JSON.stringify({ type: "process_ended" });
  return {
    line: (line) => {
      const told = reader.line(line);
      return reader.state.isStopping ? [...told, ...reader.line(ended)] : told;
    },
    end: () => reader.end(),
  };
}

/** A turn of somebody else's is open, so that there is something to interrupt. */
const idle = ampConverter.initial();
const openTurn = { ...idle, turn: { ...idle.turn, isOpen: true } };
