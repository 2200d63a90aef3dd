import { present } from "../../converter/present.ts";
import { failureOf } from "./failures.ts";
import type { AssistantLine } from "./native.ts";
import {
  type ClaudeState,
  forEach,
  messageItem,
  type OpenBlock,
  placeOf,
  type Told,
  told,
  whole,
  withEntry,
  without,
} from "./state.ts";
import { callBegun, callComplete } from "./tool-calls.ts";

type Block = AssistantLine["message"]["content"][number];

/** Whole blocks of a message: the end of what was streamed, or all there is of it. */
export function said(state: ClaudeState, line: AssistantLine): Told {
  if (line.error && line.is_api_error_message) return failed(state, line);
  return forEach({ ...state, turn: { ...state.turn, hasSpoken: true } }, line.message.content, (before, block) =>
    blockSaid(before, line, block),
  );
}

/** The last word on a failure of the API, written by Claude in the place of an answer. */
function failed(state: ClaudeState, line: AssistantLine): Told {
  const message = line.message.content.map((block) => ("text" in block ? String(block.text) : "")).join("");
  const isRefusal = line.message.stop_reason === "refusal";
  const { cause, retryable } = failureOf({ error: line.error, text: message, isRefusal });
  const details = present({ status: line.api_error_status ?? undefined, type: line.api_error_type ?? undefined });
  const turn = { ...state.turn, hasSpoken: true, failure: { cause, message } };
  return told(
    { ...state, turn },
    {
      type: "error",
      data: { code: cause, message, retryable, ...(Object.keys(details).length > 0 ? { details } : {}) },
    },
  );
}

function blockSaid(state: ClaudeState, line: AssistantLine, block: Block): Told {
  if (block.type === "tool_use" && "id" in block && typeof block.id === "string") {
    const { id: callId, name, input } = block as Extract<Block, { id: string }>;
    if (state.calls.has(callId)) return told(callComplete(placed(state, line).state, callId, input));
    const parent = line.parent_tool_use_id ?? undefined;
    return callBegun(placed(state, line).state, { callId, name: String(name), input, parent });
  }
  if (block.type === "text" && "text" in block) return textSaid(state, line, "text", String(block.text));
  if (block.type === "thinking" && "thinking" in block) {
    return textSaid(state, line, "thinking", String(block.thinking));
  }
  const { state: next, nativeItemId } = placed(state, line);
  const place = placeOf(state, line.parent_tool_use_id);
  if (block.type === "redacted_thinking") {
    const content = [{ type: "reasoning", text: "", visibility: "private" } as const];
    return whole(next, { ...place, nativeItemId, kind: "reasoning", role: "assistant", status: "completed", content });
  }
  const content = [{ type: "json", json: block } as const];
  return whole(next, { ...place, nativeItemId, kind: "message", role: "assistant", status: "completed", content });
}

function textSaid(before: ClaudeState, line: AssistantLine, what: "text" | "thinking", text: string): Told {
  const { state, nativeItemId } = placed(before, line);
  const status = line.aborted ? "cancelled" : "completed";
  const isOwn = what === "text" && !line.parent_tool_use_id;
  const next = isOwn ? { ...state, turn: { ...state.turn, lastText: text } } : state;
  const open = openBlock(next, line, what);
  if (open === undefined) {
    const place = placeOf(state, line.parent_tool_use_id);
    return whole(next, messageItem({ what, text, status, nativeItemId, ...place }));
  }
  const [key, block] = open;
  const closed = { ...next, blocks: without(next.blocks, key) };
  // A client has the deltas already: what was streamed is what was said.
  const rest = text.startsWith(block.text) ? text.slice(block.text.length) : "";
  const item = messageItem({ what, text: block.text + rest, status, nativeItemId: key });
  const completed = { type: "item.completed", data: { item: { itemId: block.itemId, ...item } } } as const;
  if (rest === "" || block.text === "") return told(closed, completed);
  const part = what === "text" ? "text" : "reasoning";
  return told(closed, { type: "item.delta", data: { itemId: block.itemId, index: 0, part, delta: rest } }, completed);
}

/** The block that was streamed and is whole now: the oldest of its kind in this message. */
function openBlock(
  state: ClaudeState,
  line: AssistantLine,
  what: OpenBlock["what"],
): readonly [string, OpenBlock] | undefined {
  if (line.parent_tool_use_id) return undefined;
  const ofMessage = `${line.message.id ?? ""}/`;
  return [...state.blocks].find(([key, block]) => key.startsWith(ofMessage) && block.what === what);
}

/** Counts the blocks of a message, so that one that was not streamed has the same name as one that was. */
function placed(state: ClaudeState, line: AssistantLine): { state: ClaudeState; nativeItemId: string } {
  const parent = line.parent_tool_use_id ?? "";
  const messageId = line.message.id ?? "";
  const place = state.places.get(parent);
  const index = place?.messageId === messageId ? place.blocks : 0;
  const places = withEntry(state.places, parent, { messageId, blocks: index + 1 });
  return { state: { ...state, places }, nativeItemId: `${messageId}/${index}` };
}
