import { withEntry, withoutEntry } from "@muster/core";
import type { Item, ItemStatus } from "@muster/schema";
import { chainEach, emit, startItem } from "../../converter/steps.ts";
import type { ToolCallLine } from "../wire/native.ts";
import { agentOf, type Call, type CodebuffState, type CodebuffStep, parentOf } from "../wire/state.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

export function startCall(state: CodebuffState, line: ToolCallLine): CodebuffStep {
  const { toolCallId, toolName: name, input } = line;
  const known = { name, input, agent: agentOf(line), isCancelled: false };
  const { itemId, ...started } = startItem(state, callItem(state, toolCallId, known, "in_progress"));
  const calls = withEntry(started.state.calls, toolCallId, { ...known, itemId });
  return { ...started, state: { ...started.state, calls } };
}

export function endCall(state: CodebuffState, toolCallId: string, status: ItemStatus): CodebuffStep {
  const call = state.calls.get(toolCallId);
  if (call === undefined) return emit(state);
  const item: Item = { itemId: call.itemId, ...callItem(state, toolCallId, call, status) };
  return emit({ ...state, calls: withoutEntry(state.calls, toolCallId) }, { type: "item.completed", data: { item } });
}

export function endAllCalls(state: CodebuffState, status: ItemStatus): CodebuffStep {
  return chainEach(state, [...state.calls.keys()], (before, toolCallId) => endCall(before, toolCallId, status));
}

/** Their results, when they come, are not failures of a tool. */
export function cancelCalls(state: CodebuffState, toolCallIds: Iterable<string>): CodebuffState {
  const calls = new Map(state.calls);
  for (const toolCallId of toolCallIds) {
    const call = calls.get(toolCallId);
    if (call) calls.set(toolCallId, { ...call, isCancelled: true });
  }
  return { ...state, calls };
}

function callItem(
  state: CodebuffState,
  callId: string,
  { name, input, agent }: Omit<Call, "itemId">,
  status: ItemStatus,
): Omit<Item, "itemId"> {
  const title = titleOf(name, input, state.directory);
  return {
    nativeItemId: callId,
    parentId: parentOf(state, agent),
    kind: "tool_call",
    role: "assistant",
    status,
    content: [{ type: "tool_call", callId, name, toolKind: toolKindOf(name), input, title }],
  };
}
