import { messageItem } from "../../converter/message-item.ts";
import { addItem, chainEach, emit } from "../../converter/steps.ts";
import type { ToolResultBlock, UserBlock, UserLine } from "../wire/native.ts";
import { type AmpState, type AmpStep, parentItem } from "../wire/state.ts";
import { onToolResult } from "./tool-results.ts";

/** Results of tools, and the repetition of a prompt. */
export function onUser(state: AmpState, line: UserLine): AmpStep {
  const { content } = line.message;
  const isPrompt = content.some(({ type }) => type === "text") && !line.parent_tool_use_id;
  const [heard, ...unheard] = isPrompt ? state.unheard : [];
  if (heard !== undefined) return hear({ ...state, unheard }, heard);
  return chainEach(state, content, (before, block) => {
    if (isResult(block)) return onToolResult(before, block, line);
    const parentId = parentItem(before, line.parent_tool_use_id);
    if (block.type !== "text" || !("text" in block)) {
      const json = [{ type: "json", json: block } as const];
      return addItem(before, { parentId, kind: "message", role: "user", status: "completed", content: json });
    }
    const item = messageItem({ what: "text", text: String(block.text), status: "completed", role: "user", parentId });
    return addItem(openTurn(before), item);
  });
}

/** A message of ours: it is in the log already, and a steering one has arrived. */
function hear(state: AmpState, { messageId, steers }: AmpState["unheard"][number]): AmpStep {
  if (!steers) return emit(state);
  return emit(state, { type: "message.joined", data: { messageId } });
}

/** Somebody else's prompt begins a turn too. */
function openTurn(state: AmpState): AmpState {
  return { ...state, turn: { ...state.turn, isOpen: true, unended: undefined } };
}

function isResult(block: UserBlock): block is ToolResultBlock {
  return block.type === "tool_result";
}
