import { messageItem } from "../../converter/message-item.ts";
import { addItem, addStatus, chainEach, emit } from "../../converter/steps.ts";
import type { ToolResultBlock, UserLine } from "../wire/native.ts";
import { type ClaudeState, type ClaudeStep, placeOf } from "../wire/state.ts";
import { onToolResult } from "./tool-results.ts";

/** What Claude puts in the place of a user: results of tools, prompts of sub-agents, remarks of its own. */
export function onUser(state: ClaudeState, line: UserLine): ClaudeStep {
  const { content } = line.message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return chainEach(state, blocks, (before, block) => {
    if (isResult(block)) return onToolResult(before, block, line);
    if (block.type === "text" && "text" in block) return addUserText(before, line, String(block.text));
    const json = [{ type: "json", json: block } as const];
    const place = placeOf(before, line.parent_tool_use_id);
    return addItem(before, { ...place, kind: "message", role: "user", status: "completed", content: json });
  });
}

function isResult(block: { type: string }): block is ToolResultBlock {
  return block.type === "tool_result" && "tool_use_id" in block;
}

function addUserText(state: ClaudeState, line: UserLine, text: string): ClaudeStep {
  // Our own message, or what repeats the effect of a command of ours.
  if (line.isReplay) return emit(state);
  if (text.startsWith("[Request interrupted by user")) {
    return addStatus(state, { label: "interrupted", detail: text.slice(1, -1) });
  }
  if (line.isSynthetic) return addStatus(state, { label: "prompted by itself", detail: text });
  const place = placeOf(state, line.parent_tool_use_id);
  return addItem(state, messageItem({ what: "text", text, status: "completed", role: "user", ...place }));
}
