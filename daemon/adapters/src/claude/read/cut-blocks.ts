import { chainEach, emit } from "../../converter/steps.ts";
import { type ClaudeState, type ClaudeStep, messageItem, type OpenBlock } from "./state.ts";
import { endCall } from "./tool-calls.ts";

/** The next item is a block of this kind said anew: those that were cut end, and say what took their place. */
export function replaceCut(state: ClaudeState, what: OpenBlock["what"]): ClaudeStep {
  const replaced = state.cut.filter((block) => block.what === what);
  const supersededBy = `item_${state.nextItem}`;
  const rest = { ...state, cut: state.cut.filter((block) => block.what !== what) };
  return chainEach(rest, replaced, (before, { itemId, callId = "", text, key }) => {
    if (what === "tool") return endCall(before, callId, "cancelled", supersededBy);
    const kind = what === "thinking" ? "thinking" : "text";
    const item = messageItem({ what: kind, text, status: "cancelled", nativeItemId: key });
    return emit(before, { type: "item.completed", data: { item: { itemId, ...item, supersededBy } } });
  });
}
