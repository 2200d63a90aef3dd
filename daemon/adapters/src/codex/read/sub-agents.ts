import { withEntry } from "@muster/core";
import type { Item } from "@muster/schema";
import type { z } from "zod";
import { emit } from "../../converter/steps.ts";
import type { Turn } from "../wire/native.ts";
import type { ChildThread, CodexState, CodexStep } from "../wire/state.ts";
import type { ItemOf } from "../wire/thread-item.ts";

/**
 * `subAgentActivity`. The first one names the thread of a sub-agent; it becomes a call that is open until the sub-agent
 * is done, and everything of that thread is nested under it. Codex ends the native item at once and speaks on in the
 * child's thread, also after the parent's turn (0.166.0).
 */
export function startChild(state: CodexState, threadId: string, native: ItemOf<"subAgentActivity">): CodexStep {
  const known = state.children.get(native.agentThreadId);
  if (known !== undefined) {
    return native.kind === "interrupted" ? endChild(state, native.agentThreadId, "cancelled") : emit(state);
  }
  const child: ChildThread = {
    itemId: `item_${state.nextItem}`,
    callId: native.id,
    agentPath: native.agentPath,
    parentThreadId: threadId,
    said: "",
    isOpen: true,
  };
  const next = {
    ...state,
    nextItem: state.nextItem + 1,
    children: withEntry(state.children, native.agentThreadId, child),
  };
  const item = callItem(next, child, "in_progress");
  return emit(next, { type: "item.started", data: { item } });
}

export function startChildTurn(state: CodexState, threadId: string, turnId: string): CodexStep {
  const child = state.children.get(threadId);
  if (child === undefined) return emit(state);
  return emit({ ...state, children: withEntry(state.children, threadId, { ...child, turnId }) });
}

const outcomes: Readonly<Record<string, Item["status"]>> = { completed: "completed", interrupted: "cancelled" };

export function completeChildTurn(state: CodexState, threadId: string, turn: z.infer<typeof Turn>): CodexStep {
  const status = Object.hasOwn(outcomes, turn.status) ? (outcomes[turn.status] ?? "failed") : "failed";
  return endChild(state, threadId, status, turn.error?.message);
}

function endChild(state: CodexState, threadId: string, status: Item["status"], failure?: string): CodexStep {
  const child = state.children.get(threadId);
  if (child === undefined) return emit(state);
  const { turnId: _, ...rest } = child;
  const children = withEntry(state.children, threadId, { ...rest, isOpen: false });
  if (!child.isOpen) return emit({ ...state, children });
  const { callId, said, parentThreadId } = child;
  const result: Item = {
    itemId: `item_${state.nextItem}`,
    nativeItemId: callId,
    parentId: state.children.get(parentThreadId)?.itemId,
    kind: "tool_result",
    role: "tool",
    status,
    content: [{ type: "tool_result", callId, output: failure ?? said, isError: status !== "completed" }],
  };
  return emit(
    { ...state, children, nextItem: state.nextItem + 1 },
    { type: "item.completed", data: { item: callItem(state, child, status) } },
    { type: "item.started", data: { item: { ...result, status: "in_progress", content: [] } } },
    { type: "item.completed", data: { item: result } },
  );
}

function callItem(state: CodexState, child: ChildThread, status: Item["status"]): Item {
  const { itemId, callId, agentPath, parentThreadId } = child;
  const input = { agentPath };
  return {
    itemId,
    nativeItemId: callId,
    parentId: state.children.get(parentThreadId)?.itemId,
    kind: "tool_call",
    role: "assistant",
    status,
    background: true,
    content: [{ type: "tool_call", callId, name: "spawn_agent", toolKind: "agent", input, title: agentPath }],
  };
}
