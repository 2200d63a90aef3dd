import { unparsed } from "../../converter/unparsed.ts";
import type { StreamLine } from "./native.ts";
import {
  type ClaudeState,
  forEach,
  messageItem,
  type OpenBlock,
  started,
  type Told,
  told,
  withEntry,
  without,
} from "./state.ts";
import { callBegun, callEnded } from "./tool-calls.ts";
import { sum, usageOfCall } from "./usage.ts";

/** Part of a message while it is being written. Only the main conversation is streamed, never a sub-agent. */
export function streamed(state: ClaudeState, line: StreamLine): Told {
  const { event } = line;
  switch (event.type) {
    case "content_block_delta":
      return more(state, line, event);
    case "content_block_start":
      return blockBegun(state, line, event);
    case "message_start": {
      const callUsage = event.message.usage ? usageOfCall(event.message.usage) : undefined;
      return told({ ...state, turn: { ...state.turn, ...(callUsage ? { callUsage } : {}) } });
    }
    case "message_delta":
      return event.usage ? used(state, event.usage) : told(state);
    case "message_stop":
      return messageEnded(state, line);
    // The whole block has come as a line of its own by now.
    case "content_block_stop":
    case "ping":
      return told(state);
  }
}

type EventOf<T> = Extract<StreamLine["event"], { type: T }>;
const keyOf = (line: StreamLine, index: number) => `${line.api_message_id ?? ""}/${index}`;

function blockBegun(state: ClaudeState, line: StreamLine, event: EventOf<"content_block_start">): Told {
  const key = keyOf(line, event.index);
  const { content_block: block } = event;
  if (state.blocks.has(key)) return told(state, unparsed(line, "This block is open already", "claude"));
  const opened = (before: ClaudeState, open: OpenBlock): ClaudeState => ({
    ...before,
    blocks: withEntry(before.blocks, key, open),
    turn: { ...before.turn, hasSpoken: true },
  });
  if (block.type === "tool_use" && "id" in block && typeof block.id === "string" && typeof block.name === "string") {
    const { id: callId, name, input } = block;
    const begun = callBegun(state, { callId, name, input, parent: undefined });
    const open: OpenBlock = { what: "tool", itemId: begun.itemId, text: "", callId };
    return { ...begun, state: opened(begun.state, open) };
  }
  if (block.type !== "text" && block.type !== "thinking") {
    return told(opened(state, { what: "other", itemId: "", text: "" }));
  }
  const what = block.type;
  const begun = started(state, messageItem({ what, text: "", status: "in_progress", nativeItemId: key }));
  return { ...begun, state: opened(begun.state, { what, itemId: begun.itemId, text: "" }) };
}

function more(state: ClaudeState, line: StreamLine, { index, delta }: EventOf<"content_block_delta">): Told {
  const key = keyOf(line, index);
  const block = state.blocks.get(key);
  const said = deltaOf(delta);
  if (said === undefined || said.delta === "" || block?.what === "other") return told(state);
  if (block === undefined) return told(state, unparsed(line, "More of a block that is not open", "claude"));
  const grown = { ...block, text: block.text + said.delta };
  const next = { ...state, blocks: withEntry(state.blocks, key, grown) };
  return told(streamedInput(next, grown), {
    type: "item.delta",
    data: { itemId: block.itemId, index: 0, ...said },
  });
}

function deltaOf(delta: EventOf<"content_block_delta">["delta"]) {
  if ("text" in delta && delta.type === "text_delta") return { part: "text", delta: String(delta.text) } as const;
  if ("thinking" in delta && delta.type === "thinking_delta") {
    return { part: "reasoning", delta: String(delta.thinking) } as const;
  }
  if ("partial_json" in delta && delta.type === "input_json_delta") {
    return { part: "input", delta: String(delta.partial_json) } as const;
  }
  // Signatures and citations; they are in the whole block.
  return undefined;
}

function streamedInput(state: ClaudeState, block: OpenBlock): ClaudeState {
  const call = block.callId === undefined ? undefined : state.calls.get(block.callId);
  if (call === undefined || block.callId === undefined) return state;
  return { ...state, calls: withEntry(state.calls, block.callId, { ...call, streamed: block.text }) };
}

function used(state: ClaudeState, usage: Parameters<typeof usageOfCall>[0]): Told {
  const end = usageOfCall(usage);
  const start = state.turn.callUsage;
  // The start has the input, the end the output; a complete end has both.
  const call = usage.input_tokens == null && start ? { ...start, outputTokens: end.outputTokens } : end;
  const context = { contextTokens: call.inputTokens + call.outputTokens };
  const window = state.contextWindow === undefined ? {} : { contextWindow: state.contextWindow };
  const soFar = { ...(sum(state.turn.usage, call) ?? call), ...context, ...window };
  const { callUsage: _, ...turn } = state.turn;
  const carried = sum(state.turn.carried?.usage, soFar) ?? soFar;
  return told({ ...state, turn: { ...turn, usage: soFar } }, { type: "usage.updated", data: carried });
}

/** What is still open when its message ends was given up: the connection broke or the turn was stopped. */
function messageEnded(state: ClaudeState, line: StreamLine): Told {
  const messageId = line.abandoned_blocks?.api_message_id ?? line.api_message_id ?? "";
  const left = [...state.blocks].filter(([key]) => key.slice(0, key.lastIndexOf("/")) === messageId);
  return forEach(state, left, (before, [key, block]) => {
    const closed = { ...before, blocks: without(before.blocks, key) };
    const from = line.abandoned_blocks?.from_block_index;
    if (block.what === "tool") {
      const isVoid = from !== undefined && Number(key.slice(key.lastIndexOf("/") + 1)) >= from;
      return isVoid ? callEnded(closed, block.callId ?? "", "failed") : told(closed);
    }
    if (block.what === "other") return told(closed);
    const item = messageItem({ what: block.what, text: block.text, status: "failed", nativeItemId: key });
    return told(closed, { type: "item.completed", data: { item: { itemId: block.itemId, ...item } } });
  });
}
