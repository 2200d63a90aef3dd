import { emit } from "../../converter/steps.ts";
import type { NativePart } from "../wire/native.ts";
import { isOld, type OpencodeState, type OpencodeStep, withoutPart } from "../wire/state.ts";
import { addSessionStatus, completeAs } from "./items.ts";
import { isOfAssistant, updateText } from "./texts.ts";
import { updateTool } from "./tool-calls.ts";
import { countStep } from "./usage.ts";

/** A part of a message, as it is now. Parts come whole at every change; what changed is told. */
export function onPartUpdated(state: OpencodeState, part: NativePart): OpencodeStep {
  if (state.closed.has(part.id)) return emit(state);
  if (!state.parts.has(part.id) && isOld(state, part.messageID)) return emit(state);
  switch (part.type) {
    case "text":
    case "reasoning":
      return isOfAssistant(state, part) ? updateText(state, part) : emit(state);
    case "tool":
      return updateTool(state, part);
    case "step-finish":
      return countStep(state, part);
    case "patch":
      return part.files.length === 0
        ? emit(state)
        : addSessionStatus(state, part, "files_changed", part.files.join("\n"));
    case "compaction":
      return addSessionStatus(state, part, "compaction", part.overflow ? "The context was full" : undefined);
    // Beginnings of steps, snapshots for undo, what a user message was made of, and retries, which the status tells.
    case "step-start":
    case "snapshot":
    case "retry":
    case "file":
    case "agent":
    case "subtask":
      return emit(state);
  }
}

export function onPartRemoved(state: OpencodeState, partID: string): OpencodeStep {
  const open = state.parts.get(partID);
  return open === undefined ? emit(state) : emit(withoutPart(state, partID), completeAs(state, open, "cancelled"));
}
