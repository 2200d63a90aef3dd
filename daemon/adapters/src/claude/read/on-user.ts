import type { ToolResultBlock, UserLine } from "./native.ts";
import { type ClaudeState, forEach, messageItem, noted, placeOf, type Told, told, whole } from "./state.ts";
import { toolEnded } from "./tool-results.ts";

/** What Claude puts in the place of a user: results of tools, prompts of sub-agents, remarks of its own. */
export function heard(state: ClaudeState, line: UserLine): Told {
  const { content } = line.message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return forEach(state, blocks, (before, block) => {
    if (isResult(block)) return toolEnded(before, block, line);
    if (block.type === "text" && "text" in block) return textHeard(before, line, String(block.text));
    const json = [{ type: "json", json: block } as const];
    const place = placeOf(before, line.parent_tool_use_id);
    return whole(before, { ...place, kind: "message", role: "user", status: "completed", content: json });
  });
}

function isResult(block: { type: string }): block is ToolResultBlock {
  return block.type === "tool_result" && "tool_use_id" in block;
}

function textHeard(state: ClaudeState, line: UserLine, text: string): Told {
  if (line.isReplay) return replayed(state, line);
  if (text.startsWith("[Request interrupted by user")) return noted(state, "interrupted", text.slice(1, -1));
  if (line.isSynthetic) return noted(state, "prompted by itself", text);
  const place = placeOf(state, line.parent_tool_use_id);
  return whole(state, messageItem({ what: "text", text, status: "completed", role: "user", ...place }));
}

/** Our own messages come back only when asked for; the rest repeats what a command of ours did. */
function replayed(state: ClaudeState, { uuid }: UserLine): Told {
  if (!uuid || !state.messages.has(uuid)) return told(state);
  return told(state, { type: "message.echoed", data: { messageId: uuid, nativeItemId: uuid } });
}
