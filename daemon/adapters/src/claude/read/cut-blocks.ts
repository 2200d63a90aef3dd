import { messageItem } from "../../converter/message-item.ts";
import { chainEach, emit } from "../../converter/steps.ts";
import type { ClaudeState, ClaudeStep, CutBlock, OpenBlock } from "../wire/state.ts";
import { endCall } from "./tool-calls.ts";

/** The next item is a block of this kind said anew: those that were cut end, and say what took their place. */
export function replaceCut(state: ClaudeState, what: OpenBlock["what"]): ClaudeStep {
  const replaced = state.cut.filter((block) => block.what === what);
  const supersededBy = `item_${state.nextItem}`;
  const rest = { ...state, cut: state.cut.filter((block) => block.what !== what) };
  return chainEach(rest, replaced, (before, block) => endBlock(before, block, supersededBy));
}

/** The message that was to say it anew is over: what it left out is not said any more. */
export function dropCut(state: ClaudeState): ClaudeStep {
  return chainEach({ ...state, cut: [] }, state.cut, (before, block) => endBlock(before, block));
}

function endBlock(state: ClaudeState, block: CutBlock, supersededBy?: string): ClaudeStep {
  const { what, itemId, callId = "", text, key } = block;
  if (what === "tool") return endCall(state, callId, "cancelled", supersededBy);
  const kind = what === "thinking" ? "thinking" : "text";
  const item = messageItem({ what: kind, text, status: "cancelled", nativeItemId: key });
  return emit(state, { type: "item.completed", data: { item: { itemId, ...item, supersededBy } } });
}
