import { withEntry, withoutEntry } from "@muster/core";
import type { Item, ItemStatus } from "@muster/schema";
import { parseLine } from "../../converter/parse-line.ts";
import { emit, startItem } from "../../converter/steps.ts";
import { type Call, type ClaudeState, type ClaudeStep, placeOf } from "../wire/state.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

export interface NewCall {
  callId: string;
  name: string;
  input: unknown;
  /** The tool_use id of the sub-agent's call, if a sub-agent makes this one. */
  parent: string | undefined;
}

/** A call is open from its first sign until its result is known. */
export function startCall(
  state: ClaudeState,
  { callId, name, input, parent }: NewCall,
): ClaudeStep & { itemId: string } {
  const { parentId, background } = placeOf(state, parent);
  const call: Omit<Call, "itemId"> = {
    name,
    input,
    streamed: "",
    parent,
    background: background ?? false,
    isOver: false,
  };
  const begun = startItem(state, { parentId, ...callItem(state, callId, call, "in_progress") });
  const calls = withEntry(begun.state.calls, callId, { ...call, itemId: begun.itemId });
  return { ...begun, state: { ...begun.state, calls } };
}

/** The input as the whole line has it. Where it was streamed, what was streamed counts: Claude adds to some inputs. */
export function setCallInput(state: ClaudeState, callId: string, input: unknown): ClaudeState {
  const call = state.calls.get(callId);
  if (call === undefined) return state;
  const calls = withEntry(state.calls, callId, {
    ...call,
    input: call.streamed === "" ? input : parseInput(call, input),
  });
  return { ...state, calls };
}

/** Ends a call. One that started a sub-agent is remembered, because what the sub-agent says may come later. */
export function endCall(state: ClaudeState, callId: string, status: ItemStatus, supersededBy?: string): ClaudeStep {
  const call = state.calls.get(callId);
  if (call === undefined || call.isOver) return emit(state);
  const { parentId } = placeOf(state, call.parent);
  const item = { itemId: call.itemId, parentId, ...callItem(state, callId, call, status), supersededBy };
  const calls =
    toolKindOf(call.name) === "agent"
      ? withEntry(state.calls, callId, { ...call, isOver: true })
      : withoutEntry(state.calls, callId);
  return emit({ ...state, calls }, { type: "item.completed", data: { item } });
}

function callItem(
  { directory }: ClaudeState,
  callId: string,
  { name, input, background }: Omit<Call, "itemId">,
  status: ItemStatus,
) {
  const title = titleOf(name, input, directory);
  const item: Omit<Item, "itemId"> = {
    nativeItemId: callId,
    background: background ? true : undefined,
    kind: "tool_call",
    role: "assistant",
    status,
    content: [{ type: "tool_call", callId, name, toolKind: toolKindOf(name), input, title }],
  };
  return item;
}

function parseInput({ streamed }: Call, otherwise: unknown): unknown {
  try {
    return parseLine(streamed);
  } catch {
    // The stream was cut inside the input; the whole block has it too.
    return otherwise;
  }
}
