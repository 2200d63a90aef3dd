import { withEntry, withoutEntry } from "@muster/core";
import type { Item, ItemStatus } from "@muster/schema";
import { chainEach, emit, startItem } from "../../converter/steps.ts";
import { type AmpState, type AmpStep, type Call, parentItem } from "../wire/state.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

export interface NewCall {
  callId: string;
  name: string;
  input: unknown;
  /** The tool_use id of the sub-agent's call, if a sub-agent makes this one. */
  parent?: string;
}

/** A call is open from its first sign: its line, or the permission it needs. */
export function startCall(state: AmpState, { callId, name, input, parent }: NewCall): AmpStep {
  const known = state.calls.get(callId);
  if (known !== undefined) {
    // Whose call it is, is told by its line only.
    return emit(withCall(state, callId, { ...known, parent: known.parent ?? parent }));
  }
  const call = { name, input, parent, isOver: false };
  const begun = startItem(state, callItem(state, callId, call, "in_progress"));
  return { ...begun, state: withCall(begun.state, callId, { ...call, itemId: begun.itemId }) };
}

function withCall(state: AmpState, callId: string, call: Call): AmpState {
  const calls = withEntry(state.calls, callId, call);
  if (call.parent === undefined) return { ...state, calls };
  const own = withEntry(state.inner.get(call.parent) ?? new Map(), callId, true as const);
  return { ...state, calls, inner: withEntry(state.inner, call.parent, own) };
}

/** Ends a call. One that started a sub-agent is remembered: what the sub-agent says comes after its result. */
export function endCall(state: AmpState, callId: string, status: ItemStatus): AmpStep {
  const call = state.calls.get(callId);
  if (call === undefined || call.isOver) return emit(state);
  const item = { itemId: call.itemId, ...callItem(state, callId, call, status) };
  const calls =
    toolKindOf(call.name) === "agent"
      ? withEntry(state.calls, callId, { ...call, isOver: true })
      : withoutEntry(state.calls, callId);
  return emit({ ...state, calls }, { type: "item.completed", data: { item } });
}

/** Amp prints no results of a sub-agent's calls: they are over when the sub-agent goes on, or is done. */
export function endCallsOf(state: AmpState, parent: string | undefined): AmpStep {
  const own = parent === undefined ? undefined : state.inner.get(parent);
  if (parent === undefined || own === undefined) return emit(state);
  const rest = { ...state, inner: withoutEntry(state.inner, parent) };
  return chainEach(rest, [...own.keys()], (before, callId) => endCall(before, callId, "completed"));
}

function callItem(
  state: AmpState,
  callId: string,
  { name, input, parent }: Omit<Call, "itemId">,
  status: ItemStatus,
): Omit<Item, "itemId"> {
  const title = titleOf(name, input, state.directory);
  return {
    nativeItemId: callId,
    parentId: parentItem(state, parent),
    kind: "tool_call",
    role: "assistant",
    status,
    content: [{ type: "tool_call", callId, name, toolKind: toolKindOf(name), input, title }],
  };
}
