import { withEntry, withoutEntry } from "@muster/core";
import type { Item, Part } from "@muster/schema";
import { addStatus, chain, chainEach, emit, type NewStatus } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { Signal } from "../../signals.ts";
import { type CodexState, type CodexStep, isOwn, keyOf, type OpenItem } from "../wire/state.ts";
import type { ItemOf, ThreadItem } from "../wire/thread-item.ts";
import { startChild } from "./sub-agents.ts";
import { callPart, isTool, noticeOf, outcomeOf, type ToolItem, userContent } from "./tool-items.ts";

/** `item/started` */
export function onItemStarted(state: CodexState, threadId: string, native: ThreadItem): CodexStep {
  if (state.items.has(keyOf(threadId, native.id))) {
    return emit(state, unparsed(native, "This item is open already", "codex"));
  }
  if (native.type === "userMessage") return addUserMessage(state, threadId, native);
  if (native.type === "subAgentActivity") return startChild(state, threadId, native);
  return openItem(state, threadId, native);
}

/** `item/completed`. What was never opened is an item of its own: nothing an agent says disappears. */
export function onItemCompleted(state: CodexState, threadId: string, native: ThreadItem): CodexStep {
  if (native.type === "userMessage" || native.type === "subAgentActivity") return emit(state);
  const open = state.items.get(keyOf(threadId, native.id));
  if (open === undefined && state.givenUp.has(keyOf(threadId, native.id))) {
    const printed = isTool(native) ? printedBy(native, state.directory) : "";
    return addThreadStatus(state, threadId, {
      label: "late_item",
      detail: printed === "" ? `${native.type} ended` : `${native.type} ended: ${printed}`,
      nativeItemId: native.id,
    });
  }
  if (open === undefined) {
    return chain(
      state,
      (before) => onItemStarted(before, threadId, native),
      (before) => onItemCompleted(before, threadId, native),
    );
  }
  const closed = { ...state, items: withoutEntry(state.items, keyOf(threadId, native.id)) };
  if (isTool(native)) return completeTool(closed, open, native);
  const heard = native.type === "agentMessage" ? withChildText(closed, threadId, native.text) : closed;
  const item = itemOf(heard, open, { status: "completed", content: contentOf(native, open) });
  return emit(heard, { type: "item.completed", data: { item } });
}

/** A piece of text; `key` names the part of a reasoning it belongs to. */
export function addTextDelta(
  state: CodexState,
  { threadId, itemId, delta }: { threadId: string; itemId: string; delta: string },
  part: "text" | "reasoning",
  key = "s0",
): CodexStep {
  const open = state.items.get(keyOf(threadId, itemId));
  if (open === undefined) return emit(state, unparsed({ itemId, delta }, "Text of an item that is not open", "codex"));
  const keys = open.keys.includes(key) ? open.keys : [...open.keys, key];
  const index = keys.indexOf(key);
  const texts = keys.map((_, at) => (open.texts[at] ?? "") + (at === index ? delta : ""));
  const items = withEntry(state.items, keyOf(threadId, itemId), { ...open, keys, texts });
  return emit({ ...state, items }, { type: "item.delta", data: { itemId: open.itemId, index, part, delta } });
}

/** Output of a command while it runs: advisory, the result has all of it. */
export function addOutputDelta(
  state: CodexState,
  { threadId, itemId, delta }: { threadId: string; itemId: string; delta: string },
): CodexStep {
  const open = state.items.get(keyOf(threadId, itemId));
  if (open === undefined) return emit(state, unparsed({ itemId, delta }, "Output of a call that is not open", "codex"));
  return emit(state, { type: "item.delta", data: { itemId: open.itemId, index: 0, part: "output", delta } });
}

/** Ends open items that Codex will not speak of again. */
export function giveUp(
  state: CodexState,
  which: (open: OpenItem) => boolean,
  status: "cancelled" | "failed",
): CodexStep {
  const ended = [...state.items].filter(([, open]) => which(open));
  const items = new Map(state.items);
  const givenUp = withGivenUp(
    state,
    ended.map(([key]) => key),
  );
  const bodies = ended.flatMap(([key, open]): Signal[] => {
    items.delete(key);
    if (isTool(open.native)) return [completion(state, open, status, [callPart(open.native, state.directory)])];
    return [
      completion(
        state,
        open,
        status,
        open.texts.map((text, at) => textPart(open, text, at)),
      ),
    ];
  });
  return emit({ ...state, items, givenUp }, ...bodies);
}

/**
 * Commands that go on when their turn is over. Nobody knew of that when they were begun, so each is begun anew in the
 * background, in place of the call that belonged to the turn.
 */
export function leaveRunning(state: CodexState, which: (open: OpenItem) => boolean): CodexStep {
  return chainEach(
    state,
    [...state.items].filter(([, open]) => which(open)),
    (before, [key, open]) => {
      const itemId = `item_${before.nextItem}`;
      const next: OpenItem = { ...open, itemId, background: true };
      const content = isTool(open.native) ? [callPart(open.native, before.directory)] : [];
      const left = { ...itemOf(before, open, { status: "cancelled", content }), supersededBy: itemId };
      return emit(
        { ...before, nextItem: before.nextItem + 1, items: withEntry(before.items, key, next) },
        { type: "item.completed", data: { item: left } },
        { type: "item.started", data: { item: itemOf(before, next, { status: "in_progress", content }) } },
      );
    },
  );
}

/** What a call printed that was over for us when its turn was stopped. */
function printedBy(native: ToolItem, directory: string): string {
  const results = outcomeOf(native, directory).content.filter((part) => part.type === "tool_result");
  return results.map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))).join("\n");
}

export function markCut(state: CodexState, which: (open: OpenItem) => boolean): CodexState {
  return { ...state, cut: [...state.items].flatMap(([key, open]) => (which(open) ? [key] : [])) };
}

/** The next item says anew what was cut: that ends, and says what took its place. */
function replaceCut(state: CodexState, threadId: string, { type }: ThreadItem): CodexStep {
  const supersededBy = `item_${state.nextItem}`;
  const isReplaced = (key: string) => {
    const open = state.items.get(key);
    return open?.threadId === threadId && open.native.type === type;
  };
  const cut = state.cut.filter((key) => state.items.has(key) && !isReplaced(key));
  return chainEach({ ...state, cut }, state.cut.filter(isReplaced), (before, key) => {
    const open = before.items.get(key);
    if (open === undefined) return emit(before);
    const content = open.texts.map((text, at) => textPart(open, text, at));
    const item = { ...itemOf(before, open, { status: "cancelled", content }), supersededBy };
    const items = withoutEntry(before.items, key);
    const givenUp = withGivenUp(before, [key]);
    return emit({ ...before, items, givenUp }, { type: "item.completed", data: { item } });
  });
}

/** What Codex still says of an item comes soon; what was given up long ago is forgotten. */
const mostGivenUp = 200;

function withGivenUp({ givenUp }: CodexState, keys: readonly string[]): ReadonlySet<string> {
  return keys.length === 0 ? givenUp : new Set([...givenUp, ...keys].slice(-mostGivenUp));
}

/** Something worth one line, in the thread it happened in. */
export function addThreadStatus(state: CodexState, threadId: string, status: NewStatus): CodexStep {
  return addStatus(state, { ...status, parentId: parentOf(state, threadId) });
}

/** The copy of a message we gave it, which the engine has told already; in a sub-agent's thread it is what the agent told its helper. */
function addUserMessage(state: CodexState, threadId: string, native: ItemOf<"userMessage">): CodexStep {
  const messageId = native.clientId ?? undefined;
  if (isOwn(state, threadId) && messageId !== undefined) {
    if (!state.steering.has(messageId)) return emit(state);
    const steering = new Set(state.steering);
    steering.delete(messageId);
    const turn = state.turn && { ...state.turn, messageIds: [...state.turn.messageIds, messageId] };
    return emit({ ...state, steering, turn }, { type: "message.joined", data: { messageId } });
  }
  const start = openItem(state, threadId, native);
  const open = start.state.items.get(keyOf(threadId, native.id));
  if (open === undefined) return start;
  const item = itemOf(start.state, open, { status: "completed", content: userContent(native) });
  const items = withoutEntry(start.state.items, keyOf(threadId, native.id));
  return emit({ ...start.state, items }, ...start.bodies, { type: "item.completed", data: { item } });
}

function openItem(state: CodexState, threadId: string, native: ThreadItem): CodexStep {
  return chain(
    state,
    (before) => replaceCut(before, threadId, native),
    (before) => startOpen(before, threadId, native),
  );
}

function startOpen(state: CodexState, threadId: string, native: ThreadItem): CodexStep {
  const open: OpenItem = { itemId: `item_${state.nextItem}`, threadId, native, texts: [], keys: [] };
  const items = withEntry(state.items, keyOf(threadId, native.id), open);
  const content = isTool(native) ? [callPart(native, state.directory)] : [];
  const item = itemOf(state, open, { status: "in_progress", content });
  return emit({ ...state, items, nextItem: state.nextItem + 1 }, { type: "item.started", data: { item } });
}

/** The call ends, and its result follows as an item that begins and ends at once. */
function completeTool(state: CodexState, open: OpenItem, native: ToolItem): CodexStep {
  const { status, content } = outcomeOf(native, state.directory);
  const call = itemOf(state, { ...open, native }, { status, content: [callPart(native, state.directory)] });
  const result: Item = {
    itemId: `item_${state.nextItem}`,
    nativeItemId: native.id,
    parentId: parentOf(state, open.threadId),
    kind: "tool_result",
    role: "tool",
    status,
    content,
  };
  const started: Item = { ...result, status: "in_progress", content: [] };
  return emit(
    { ...state, nextItem: state.nextItem + 1 },
    { type: "item.completed", data: { item: call } },
    { type: "item.started", data: { item: started } },
    { type: "item.completed", data: { item: result } },
  );
}

/** The text as deltas told it wins: readers have it already, and 0.166.0 never sends another one. */
function contentOf(native: Exclude<ThreadItem, ToolItem>, open: OpenItem): Part[] {
  switch (native.type) {
    case "agentMessage":
      return [{ type: "text", text: open.texts[0] ?? native.text }];
    case "reasoning": {
      const all = [
        ...native.summary.map((text, at) => ({ key: `s${at}`, text })),
        ...native.content.map((text, at) => ({ key: `c${at}`, text })),
      ];
      const streamed = open.keys.map((key, at) => ({ key, text: open.texts[at] ?? "" }));
      const rest = all.filter(({ key }) => !open.keys.includes(key));
      return [...streamed, ...rest].map(({ key, text }) => ({
        type: "reasoning",
        text,
        visibility: key.startsWith("s") ? "public" : "private",
      }));
    }
    case "plan":
      return [{ type: "plan", text: native.text }];
    case "hookPrompt":
    case "enteredReviewMode":
    case "exitedReviewMode":
    case "contextCompaction": {
      const { label, detail } = noticeOf(native);
      return [{ type: "status", label, detail }];
    }
    case "userMessage":
    case "subAgentActivity":
      return [];
  }
}

function itemOf(
  state: CodexState,
  { itemId, threadId, native, background }: OpenItem,
  { status, content }: Pick<Item, "status" | "content">,
): Item {
  const { kind, role, phase } = natureOf(native);
  return {
    itemId,
    nativeItemId: native.id,
    parentId: parentOf(state, threadId),
    kind,
    role,
    phase,
    background,
    status,
    content,
  };
}

function natureOf(native: ThreadItem): Pick<Item, "kind" | "role" | "phase"> {
  switch (native.type) {
    case "userMessage":
      return { kind: "message", role: "user" };
    case "agentMessage":
      return { kind: "message", role: "assistant", phase: phases[native.phase ?? ""] };
    case "reasoning":
      return { kind: "reasoning", role: "assistant" };
    case "plan":
      return { kind: "plan", role: "assistant" };
    case "hookPrompt":
    case "enteredReviewMode":
    case "exitedReviewMode":
    case "contextCompaction":
      return { kind: "status", role: "system" };
    case "commandExecution":
    case "fileChange":
    case "mcpToolCall":
    case "dynamicToolCall":
    case "collabAgentToolCall":
    case "webSearch":
    case "imageView":
    case "imageGeneration":
    case "sleep":
    case "functionCallOutput":
    case "subAgentActivity":
      return { kind: "tool_call", role: "assistant" };
  }
}

/** Codex' word → ours. */
const phases: Readonly<Record<string, Item["phase"]>> = { commentary: "commentary", final_answer: "final" };

function completion(state: CodexState, open: OpenItem, status: "cancelled" | "failed", content: Part[]): Signal {
  return { type: "item.completed", data: { item: itemOf(state, open, { status, content }) } };
}

function textPart({ native, keys }: OpenItem, text: string, at: number): Part {
  if (native.type !== "reasoning") return { type: "text", text };
  return { type: "reasoning", text, visibility: keys[at]?.startsWith("c") ? "private" : "public" };
}

function parentOf({ children }: CodexState, threadId: string): string | undefined {
  return children.get(threadId)?.itemId;
}

function withChildText(state: CodexState, threadId: string, said: string): CodexState {
  const child = state.children.get(threadId);
  return child === undefined ? state : { ...state, children: withEntry(state.children, threadId, { ...child, said }) };
}
