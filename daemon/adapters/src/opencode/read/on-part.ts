import { completedAs, statusItem } from "./items.ts";
import type { NativePart } from "./native.ts";
import { isOld, type OpencodeState, type OpencodeStep, told, withoutPart } from "./state.ts";
import { isOfAssistant, textUpdated } from "./texts.ts";
import { toolUpdated } from "./tool-calls.ts";
import { countStep } from "./usage.ts";

/** A part of a message, as it is now. Parts come whole at every change; what changed is told. */
export function partUpdated(state: OpencodeState, part: NativePart): OpencodeStep {
  if (state.closed.has(part.id)) return told(state);
  if (!state.parts.has(part.id) && isOld(state, part.messageID)) return told(state);
  switch (part.type) {
    case "text":
    case "reasoning":
      return isOfAssistant(state, part) ? textUpdated(state, part) : told(state);
    case "tool":
      return toolUpdated(state, part);
    case "step-finish":
      return countStep(state, part);
    case "patch":
      return part.files.length === 0 ? told(state) : statusItem(state, part, "files_changed", part.files.join("\n"));
    case "compaction":
      return statusItem(state, part, "compaction", part.overflow ? "The context was full" : undefined);
    // Beginnings of steps, snapshots for undo, what a user message was made of, and retries, which the status tells.
    case "step-start":
    case "snapshot":
    case "retry":
    case "file":
    case "agent":
    case "subtask":
      return told(state);
  }
}

export function partRemoved(state: OpencodeState, partID: string): OpencodeStep {
  const open = state.parts.get(partID);
  return open === undefined ? told(state) : told(withoutPart(state, partID), completedAs(open, "cancelled"));
}
