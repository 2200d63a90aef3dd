import { withEntry, withoutEntry } from "@muster/core";
import { messageItem } from "../../converter/message-item.ts";
import { chain, emit, startItem } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import { sum } from "../../converter/usage-sum.ts";
import { isTextual, isToolUse, type StreamLine } from "../wire/native.ts";
import type { ClaudeState, ClaudeStep, OpenBlock } from "../wire/state.ts";
import { dropCut, replaceCut } from "./cut-blocks.ts";
import { startCall } from "./tool-calls.ts";
import { usageOfCall } from "./usage.ts";

/** Part of a message while it is being written. Only the main conversation is streamed, never a sub-agent. */
export function onStreamEvent(state: ClaudeState, line: StreamLine): ClaudeStep {
  const { event } = line;
  switch (event.type) {
    case "content_block_delta":
      return onBlockDelta(state, line, event);
    case "content_block_start":
      return onBlockStart(state, line, event);
    case "message_start": {
      const callUsage = event.message.usage ? usageOfCall(event.message.usage) : state.turn.callUsage;
      return emit({ ...state, turn: { ...state.turn, callUsage } });
    }
    case "message_delta":
      return event.usage ? addUsage(state, event.usage) : emit(state);
    case "message_stop":
      return onMessageStop(state, line);
    // The whole block has come as a line of its own by now.
    case "content_block_stop":
    case "ping":
      return emit(state);
  }
}

type EventOf<T> = Extract<StreamLine["event"], { type: T }>;
const messageIdOf = (line: StreamLine) => line.api_message_id ?? "";

function withBlock(state: ClaudeState, messageId: string, index: number, block: OpenBlock): ClaudeState {
  const ofMessage = withEntry(state.blocks.get(messageId) ?? new Map(), index, block);
  return { ...state, blocks: withEntry(state.blocks, messageId, ofMessage) };
}

function onBlockStart(state: ClaudeState, line: StreamLine, event: EventOf<"content_block_start">): ClaudeStep {
  const { content_block: block, index } = event;
  const messageId = messageIdOf(line);
  if (state.blocks.get(messageId)?.has(index))
    return emit(state, unparsed(line, "This block is open already", "claude"));
  const opened = (before: ClaudeState, open: OpenBlock): ClaudeState => ({
    ...withBlock(before, messageId, index, open),
    turn: { ...before.turn, hasSpoken: true },
  });
  if (isToolUse(block)) {
    const { id: callId, name, input } = block;
    return chain(
      state,
      (before) => replaceCut(before, "tool"),
      (before) => {
        const begun = startCall(before, { callId, name, input, parent: undefined });
        const open: OpenBlock = { what: "tool", itemId: begun.itemId, text: "", callId };
        return { ...begun, state: opened(begun.state, open) };
      },
    );
  }
  if (!isTextual(block)) return emit(opened(state, { what: "other", itemId: "", text: "" }));
  const what = block.type;
  return chain(
    state,
    (before) => replaceCut(before, what),
    (before) => {
      const nativeItemId = `${messageId}/${index}`;
      const begun = startItem(before, messageItem({ what, text: "", status: "in_progress", nativeItemId }));
      return { ...begun, state: opened(begun.state, { what, itemId: begun.itemId, text: "" }) };
    },
  );
}

function onBlockDelta(
  state: ClaudeState,
  line: StreamLine,
  { index, delta }: EventOf<"content_block_delta">,
): ClaudeStep {
  const block = state.blocks.get(messageIdOf(line))?.get(index);
  const said = deltaOf(delta);
  if (said === undefined || said.delta === "" || block?.what === "other") return emit(state);
  if (block === undefined) return emit(state, unparsed(line, "More of a block that is not open", "claude"));
  const grown = { ...block, text: block.text + said.delta };
  return emit(keepInput(withBlock(state, messageIdOf(line), index, grown), grown), {
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

function keepInput(state: ClaudeState, block: OpenBlock): ClaudeState {
  const call = block.callId === undefined ? undefined : state.calls.get(block.callId);
  if (call === undefined || block.callId === undefined) return state;
  return { ...state, calls: withEntry(state.calls, block.callId, { ...call, streamed: block.text }) };
}

function addUsage(state: ClaudeState, usage: Parameters<typeof usageOfCall>[0]): ClaudeStep {
  const end = usageOfCall(usage);
  const start = state.turn.callUsage;
  // The start has the input, the end the output; a complete end has both.
  const call = usage.input_tokens == null && start ? { ...start, outputTokens: end.outputTokens } : end;
  const spent = sum(state.turn.usage, call) ?? call;
  const contextTokens = call.inputTokens + call.outputTokens;
  const soFar = { ...spent, contextTokens, contextWindow: state.contextWindow ?? spent.contextWindow };
  const { callUsage: _, ...turn } = state.turn;
  const carried = sum(state.turn.carried?.usage, soFar) ?? soFar;
  return emit({ ...state, turn: { ...turn, usage: soFar } }, { type: "usage.updated", data: carried });
}

/** What is still open when its message ends was cut: the connection broke and it is tried again, or the turn is stopped. */
function onMessageStop(state: ClaudeState, line: StreamLine): ClaudeStep {
  const messageId = line.abandoned_blocks?.api_message_id ?? line.api_message_id ?? "";
  const from = line.abandoned_blocks?.from_block_index;
  const isCut = ([index, { what }]: [number, OpenBlock]) => {
    if (what === "tool") return from !== undefined && index >= from;
    return what !== "other";
  };
  const left = [...(state.blocks.get(messageId) ?? [])];
  const cut = left.filter(isCut).map(([index, block]) => ({ ...block, key: `${messageId}/${index}` }));
  const blocks = withoutEntry(state.blocks, messageId);
  const { state: before, ...told } = line.abandoned_blocks ? emit(state) : dropCut(state);
  return { ...told, state: { ...before, blocks, cut: [...before.cut, ...cut] } };
}
