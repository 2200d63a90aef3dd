import { withEntry, withoutEntry } from "@muster/core";
import { messageItem } from "../../converter/message-item.ts";
import { addItem, chain, chainEach, emit } from "../../converter/steps.ts";
import { type AssistantLine, type AssistantBlock as Block, isTextual, isToolUse } from "../wire/native.ts";
import { type ClaudeState, type ClaudeStep, type OpenBlock, placeOf } from "../wire/state.ts";
import { replaceCut } from "./cut-blocks.ts";
import { failureOf } from "./failures.ts";
import { serverCallOf, serverResultOf } from "./server-tools.ts";
import { setCallInput, startCall } from "./tool-calls.ts";
import { onToolResult } from "./tool-results.ts";

/** Whole blocks of a message: the end of what was streamed, or all there is of it. */
export function onAssistant(state: ClaudeState, line: AssistantLine): ClaudeStep {
  if (line.error && line.is_api_error_message) return addApiError(state, line);
  const isOwn = !line.parent_tool_use_id && line.uuid;
  const turn = { ...state.turn, hasSpoken: true, ...(isOwn ? { lastEntry: line.uuid ?? "" } : {}) };
  return chainEach({ ...state, turn }, line.message.content, (before, block) => addBlock(before, line, block));
}

/** The last word on a failure of the API, written by Claude in the place of an answer. */
function addApiError(state: ClaudeState, line: AssistantLine): ClaudeStep {
  const message = line.message.content.map((block) => ("text" in block ? String(block.text) : "")).join("");
  const isRefusal = line.message.stop_reason === "refusal";
  const { cause, retryable } = failureOf({ error: line.error, text: message, isRefusal });
  const status = line.api_error_status ?? undefined;
  const type = line.api_error_type ?? undefined;
  const details = status === undefined && type === undefined ? undefined : { status, type };
  const turn = { ...state.turn, hasSpoken: true, failure: { cause, message } };
  return emit({ ...state, turn }, { type: "error", data: { code: cause, message, retryable, details } });
}

function addBlock(state: ClaudeState, line: AssistantLine, block: Block): ClaudeStep {
  const result = serverResultOf(block);
  if (result !== undefined)
    return onToolResult(countBlock(state, line).state, result, { parent_tool_use_id: line.parent_tool_use_id });
  const call = isToolUse(block) ? { ...block, callId: block.id } : serverCallOf(block);
  if (call !== undefined) {
    const { callId, name, input } = call;
    if (state.calls.has(callId)) {
      // A call that comes whole after all was not cut.
      const cut = state.cut.filter((block) => block.callId !== callId);
      return emit({ ...setCallInput(countBlock(state, line).state, callId, input), cut });
    }
    const parent = line.parent_tool_use_id ?? undefined;
    return chain(
      countBlock(state, line).state,
      (before) => (parent === undefined ? replaceCut(before, "tool") : emit(before)),
      (before) => startCall(before, { callId, name, input, parent }),
    );
  }
  if (isTextual(block)) return addText(state, line, block.type, block.type === "text" ? block.text : block.thinking);
  const { state: next, nativeItemId } = countBlock(state, line);
  const place = placeOf(state, line.parent_tool_use_id);
  if (block.type === "redacted_thinking") {
    const content = [{ type: "reasoning", text: "", visibility: "private" } as const];
    return addItem(next, {
      ...place,
      nativeItemId,
      kind: "reasoning",
      role: "assistant",
      status: "completed",
      content,
    });
  }
  const content = [{ type: "json", json: block } as const];
  return addItem(next, { ...place, nativeItemId, kind: "message", role: "assistant", status: "completed", content });
}

function addText(before: ClaudeState, line: AssistantLine, what: "text" | "thinking", text: string): ClaudeStep {
  const { state, nativeItemId } = countBlock(before, line);
  const status = line.aborted ? "cancelled" : "completed";
  const isOwn = what === "text" && !line.parent_tool_use_id;
  const next = isOwn ? { ...state, turn: { ...state.turn, lastText: text } } : state;
  const open = openBlock(next, line, what);
  if (open === undefined) {
    const place = placeOf(state, line.parent_tool_use_id);
    return chain(
      next,
      (now) => (line.parent_tool_use_id ? emit(now) : replaceCut(now, what)),
      (now) => addItem(now, messageItem({ what, text, status, nativeItemId, ...place })),
    );
  }
  const [messageId, index, block] = open;
  const closed = { ...next, blocks: withoutBlock(next.blocks, messageId, index) };
  // A client has the deltas already: what was streamed is what was said.
  const rest = text.startsWith(block.text) ? text.slice(block.text.length) : "";
  const item = messageItem({ what, text: block.text + rest, status, nativeItemId: `${messageId}/${index}` });
  const completed = { type: "item.completed", data: { item: { itemId: block.itemId, ...item } } } as const;
  if (rest === "" || block.text === "") return emit(closed, completed);
  const part = what === "text" ? "text" : "reasoning";
  return emit(closed, { type: "item.delta", data: { itemId: block.itemId, index: 0, part, delta: rest } }, completed);
}

/** The block that was streamed and is whole now: the oldest of its kind in this message. */
function openBlock(
  state: ClaudeState,
  line: AssistantLine,
  what: OpenBlock["what"],
): readonly [messageId: string, index: number, OpenBlock] | undefined {
  if (line.parent_tool_use_id) return undefined;
  const messageId = line.message.id ?? "";
  for (const [index, block] of state.blocks.get(messageId) ?? []) {
    if (block.what === what) return [messageId, index, block];
  }
  return undefined;
}

function withoutBlock(blocks: ClaudeState["blocks"], messageId: string, index: number): ClaudeState["blocks"] {
  const rest = withoutEntry(blocks.get(messageId) ?? new Map(), index);
  return rest.size === 0 ? withoutEntry(blocks, messageId) : withEntry(blocks, messageId, rest);
}

/** Counts the blocks of a message, so that one that was not streamed has the same name as one that was. */
function countBlock(state: ClaudeState, line: AssistantLine): { state: ClaudeState; nativeItemId: string } {
  const parent = line.parent_tool_use_id ?? "";
  const messageId = line.message.id ?? "";
  const place = state.places.get(parent);
  const index = place?.messageId === messageId ? place.blocks : 0;
  const places = withEntry(state.places, parent, { messageId, blocks: index + 1 });
  return { state: { ...state, places }, nativeItemId: `${messageId}/${index}` };
}
