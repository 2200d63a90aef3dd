import { withEntry } from "@muster/core";
import type { Item, Part } from "@muster/schema";
import { addStatus } from "../../converter/steps.ts";
import type { Signal } from "../../signals.ts";
import { callKey, type OpencodeState, type OpencodeStep, type OpenPart } from "../wire/state.ts";
import { titleOf, toolKindOf } from "../wire/tools.ts";

/** The item of a part that is open. */
export function itemOf(
  { itemId, parentId, kind }: OpenPart,
  nativeItemId: string | undefined,
  status: Item["status"],
  content: Part[],
): Item {
  return { itemId, nativeItemId, parentId, kind, role: "assistant", status, content };
}

/** Something worth one line, in the session it happened in; it is told once. */
export function addSessionStatus(
  state: OpencodeState,
  { id, sessionID }: { id: string; sessionID: string },
  label: string,
  detail?: string,
): OpencodeStep {
  const status = { label, detail, nativeItemId: id, parentId: parentOf(state, sessionID) };
  return addStatus({ ...state, closed: withEntry(state.closed, id, true) }, status);
}

/** The open part of a call and its id. */
export function partOfCall(
  state: OpencodeState,
  tool: { messageID: string; callID: string } | undefined,
): [id: string, open: OpenPart] | undefined {
  const id = tool && state.calls.get(callKey(tool.messageID, tool.callID));
  const open = id === undefined ? undefined : state.parts.get(id);
  return id === undefined || open === undefined ? undefined : [id, open];
}

export function itemOfCall(
  state: OpencodeState,
  tool: { messageID: string; callID: string } | undefined,
): string | undefined {
  return partOfCall(state, tool)?.[1].itemId;
}

/** The call in which a sub-agent works. */
export function parentOf(state: OpencodeState, sessionID: string): string | undefined {
  if (sessionID === state.settings.nativeSessionId) return undefined;
  const tasks = [...state.tasks.values()];
  const linked = tasks.find(({ call }) => call?.child === sessionID);
  if (linked !== undefined) return linked.itemId;
  // The link may come after the first words; with one call that has no sub-agent yet there is no doubt.
  const [only, ...others] = tasks.filter(({ call }) => call?.child === undefined);
  return others.length === 0 ? only?.itemId : undefined;
}

export function callPart({ settings }: OpencodeState, { call }: OpenPart): Part {
  const { callId = "", name = "", input } = call ?? {};
  const title = titleOf(name, input, settings.directory);
  return { type: "tool_call", callId, name, toolKind: toolKindOf(name), input, title };
}

export function deltaOf({ itemId, kind }: OpenPart, delta: string): Signal {
  return { type: "item.delta", data: { itemId, index: 0, part: kind === "message" ? "text" : "reasoning", delta } };
}

/** A text or thought as far as it was told; of a call what is known of it. */
export function completeAs(
  state: OpencodeState,
  open: OpenPart,
  status: "completed" | "cancelled",
  supersededBy?: string,
  nativeItemId?: string,
): Signal {
  const content: Part =
    open.kind === "message"
      ? { type: "text", text: open.told }
      : open.kind === "reasoning"
        ? { type: "reasoning", text: open.told, visibility: "public" }
        : callPart(state, open);
  const item = { ...itemOf(open, nativeItemId, status, [content]), supersededBy };
  return { type: "item.completed", data: { item } };
}
