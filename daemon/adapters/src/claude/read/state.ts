import type { Cause, Item, ItemStatus, Part, PermissionMode, PlanEntry, Usage } from "@muster/schema";
import type { LifeFacts } from "../../channel/open-life.ts";
import type { Resume, Step } from "../../converter/converter.ts";
import { present } from "../../converter/present.ts";
import type { Signal } from "../../signals.ts";
import type { AskedQuestion, ClaudeNative, ModelEntry } from "./native.ts";
import { toolKindOf } from "./tools.ts";

export interface ClaudeState {
  readonly nextItem: number;
  /** Counts our control requests; their ids are made from it. */
  readonly nextRequest: number;
  readonly facts: LifeFacts;
  readonly models: readonly ModelEntry[];
  /** The last time a tick told; undefined before the first. */
  readonly nowMs?: number;
  /** `<message id>/<block index>` → a block that is being streamed. */
  readonly blocks: ReadonlyMap<string, OpenBlock>;
  /** tool_use id → a call without a result yet. Calls of sub-agents stay: their items come after the result too. */
  readonly calls: ReadonlyMap<string, Call>;
  /** parent tool_use id, or "" → the message being said there and how many of its blocks came as whole lines. */
  readonly places: ReadonlyMap<string, { messageId: string; blocks: number }>;
  /** request_id → a question or permission of Claude's that waits. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** request_id → what we asked for. */
  readonly ordered: ReadonlyMap<string, Ordered>;
  /** task id → the item that stays open as long as a sub-agent works in the background. */
  readonly tasks: ReadonlyMap<string, Item>;
  readonly todos: ReadonlyMap<string, PlanEntry>;
  /** messageId → a message Claude has not finished with. */
  readonly messages: ReadonlyMap<string, { steers: boolean; started: boolean }>;
  readonly turn: Turn;
  /** What the session cost in all, as Claude counts it. */
  readonly costUsd: number;
  readonly contextWindow?: number;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly nativeSessionId?: string;
  /** Claude cannot bypass by itself, because it was not started so; the engine answers every request instead. */
  readonly bypassedByEngine: boolean;
}

export interface OpenBlock {
  what: "text" | "thinking" | "tool" | "other";
  itemId: string;
  text: string;
  /** With `tool`: its call. */
  callId?: string;
}

export interface Call {
  itemId: string;
  name: string;
  input: unknown;
  /** The input as it was streamed, to be equal to what was told. */
  streamed: string;
  parent?: string;
  background: boolean;
  isOver: boolean;
}

export type Asked =
  | { about: "permission"; input: Record<string, unknown> }
  | { about: "question"; input: Record<string, unknown>; questions: readonly AskedQuestion[] }
  | { about: "plan"; input: Record<string, unknown> }
  | { about: "elicitation"; fields: readonly { name: string; type: string }[] };

export type Ordered =
  | { what: "initialize" }
  | { what: "interrupt" }
  | { what: "model"; value: string }
  | { what: "variant"; value: string }
  | { what: "permissionMode"; value: PermissionMode };

export interface Turn {
  isOpen: boolean;
  messageIds: readonly string[];
  /** Something of Claude's own was said, so the result repeats it. */
  hasSpoken: boolean;
  lastText: string;
  failure?: { cause: Cause; message: string };
  usage?: Usage;
  /** Of the results that did not end the turn, because a steering message still waited. */
  carried?: { usage?: Usage | undefined; costUsd?: number | undefined };
  /** Of the API call that is running. */
  callUsage?: Usage;
}

export type Told = Step<ClaudeState, ClaudeNative>;

const noTurn: Turn = { isOpen: false, messageIds: [], hasSpoken: false, lastText: "" };

export function initialState(resume?: Resume): ClaudeState {
  return {
    nextItem: resume?.nextItem ?? 1,
    nextRequest: 1,
    facts: { ready: false },
    models: [],
    blocks: new Map(),
    calls: new Map(),
    places: new Map(),
    asked: new Map(),
    ordered: new Map([[initializeId, { what: "initialize" }]]),
    tasks: new Map(),
    todos: new Map(),
    messages: new Map(),
    turn: noTurn,
    costUsd: resume?.totals.costUsd ?? 0,
    bypassedByEngine: false,
    ...present({ nativeSessionId: resume?.nativeSessionId }),
  };
}

/** The request of every start; sent before there is a converter to ask. */
export const initializeId = "initialize";

export function told(state: ClaudeState, ...bodies: Signal[]): Told {
  return { state, bodies, replies: [] };
}

/** One thing after the other. */
export function inTurn(state: ClaudeState, ...steps: ((state: ClaudeState) => Told)[]): Told {
  return steps.reduce<Told>((before, step) => {
    const after = step(before.state);
    return {
      state: after.state,
      bodies: [...before.bodies, ...after.bodies],
      replies: [...before.replies, ...after.replies],
    };
  }, told(state));
}

export function forEach<T>(
  state: ClaudeState,
  things: readonly T[],
  step: (state: ClaudeState, thing: T) => Told,
): Told {
  return inTurn(state, ...things.map((thing) => (before: ClaudeState) => step(before, thing)));
}

export type NewItem = Omit<Item, "itemId">;

/** Gives an item its number and starts it. */
export function started(state: ClaudeState, item: NewItem): Told & { itemId: string } {
  const itemId = `item_${state.nextItem}`;
  const next = { ...state, nextItem: state.nextItem + 1 };
  return { ...told(next, { type: "item.started", data: { item: { itemId, ...item } } }), itemId };
}

/** An item that is over as soon as it is known. */
export function whole(state: ClaudeState, item: NewItem): Told {
  const begun = started(state, { ...item, status: "in_progress", content: [] });
  const ended = { type: "item.completed", data: { item: { itemId: begun.itemId, ...item } } } as const;
  return { ...begun, bodies: [...begun.bodies, ended] };
}

export function noted(state: ClaudeState, label: string, detail?: string, parentId?: string): Told {
  const content: Part[] = [{ type: "status", label, ...present({ detail }) }];
  return whole(state, { kind: "status", role: "system", status: "completed", content, ...present({ parentId }) });
}

export function messageItem(fields: {
  what: "text" | "thinking";
  text: string;
  status: ItemStatus;
  nativeItemId?: string | undefined;
  parentId?: string | undefined;
  background?: boolean | undefined;
  role?: Item["role"];
}): NewItem {
  const { what, text, status, nativeItemId, parentId, background, role = "assistant" } = fields;
  const part: Part = what === "text" ? { type: "text", text } : { type: "reasoning", text, visibility: "public" };
  const kind = what === "text" ? "message" : "reasoning";
  const content = status === "in_progress" ? [] : [part];
  return { ...present({ nativeItemId, parentId, background }), kind, role, status, content };
}

/** Where the items of a sub-agent belong: under the call that started it, and in the background like it. */
export function placeOf(state: ClaudeState, parent: string | null | undefined) {
  const call = parent ? state.calls.get(parent) : undefined;
  return present({ parentId: call?.itemId, background: call?.background ? true : undefined });
}

export function turnOver(state: ClaudeState): ClaudeState {
  const calls = new Map([...state.calls].filter(([, call]) => call.background || toolKindOf(call.name) === "agent"));
  return { ...state, turn: noTurn, blocks: new Map(), calls };
}

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
