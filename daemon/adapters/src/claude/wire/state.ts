import type { Cause, Item, PermissionMode, PlanEntry, Usage } from "@muster/schema";
import type { LifeFacts } from "../../channel/open-life.ts";
import type { Resume, Step } from "../../converter/converter.ts";
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
  /** message id → index → a block that is being streamed. */
  readonly blocks: ReadonlyMap<string, ReadonlyMap<number, OpenBlock>>;
  /** Blocks whose stream was cut; the next one of their kind takes their place. */
  readonly cut: readonly CutBlock[];
  /** tool_use id → a call without a result yet. Calls of sub-agents stay: their items come after the result too. */
  readonly calls: ReadonlyMap<string, Call>;
  /** Calls that were given an id here and have no result yet. */
  readonly unnamed: readonly string[];
  /** parent tool_use id, or "" → the message being said there and how many of its blocks came as whole lines. */
  readonly places: ReadonlyMap<string, { messageId: string; blocks: number }>;
  /** request_id → a question or permission of Claude's that waits. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** request_id → what we asked for. */
  readonly sent: ReadonlyMap<string, SentRequest>;
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
  /** Where Claude began to work, as it says itself: a `cd` later on must not change what a path is called. */
  readonly directory?: string;
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

export interface CutBlock extends OpenBlock {
  key: string;
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

export type SentRequest =
  | { what: "initialize" }
  | { what: "interrupt" }
  | { what: "model"; value: string }
  | { what: "variant"; value: string }
  | { what: "permissionMode"; value: PermissionMode };

interface Turn {
  isOpen: boolean;
  messageIds: readonly string[];
  /** Something of Claude's own was said, so the result repeats it. */
  hasSpoken: boolean;
  lastText: string;
  /** The transcript's name of the last thing Claude said in it. */
  lastEntry?: string;
  failure?: { cause: Cause; message: string };
  usage?: Usage;
  /** Of the results that did not end the turn, because a steering message still waited. */
  carried?: { usage?: Usage | undefined; costUsd?: number | undefined };
  /** Of the API call that is running. */
  callUsage?: Usage;
}

export type ClaudeStep = Step<ClaudeState, ClaudeNative>;

const noTurn: Turn = { isOpen: false, messageIds: [], hasSpoken: false, lastText: "" };

export function initialState(resume?: Resume): ClaudeState {
  return {
    nextItem: resume?.nextItem ?? 1,
    nextRequest: 1,
    facts: { ready: false },
    models: [],
    blocks: new Map(),
    cut: [],
    calls: new Map(),
    unnamed: [],
    places: new Map(),
    asked: new Map(),
    sent: new Map([[initializeId, { what: "initialize" }]]),
    tasks: new Map(),
    todos: new Map(),
    messages: new Map(),
    turn: noTurn,
    costUsd: resume?.totals.costUsd ?? 0,
    bypassedByEngine: false,
    nativeSessionId: resume?.nativeSessionId,
  };
}

/** The request of every start; sent before there is a converter to ask. */
export const initializeId = "initialize";

/** Where the items of a sub-agent belong: under the call that started it, and in the background like it. */
export function placeOf(state: ClaudeState, parent: string | null | undefined) {
  const call = parent ? state.calls.get(parent) : undefined;
  return { parentId: call?.itemId, background: call?.background ? true : undefined };
}

export function closeTurn(state: ClaudeState): ClaudeState {
  const calls = new Map([...state.calls].filter(([, call]) => call.background || toolKindOf(call.name) === "agent"));
  return { ...state, turn: noTurn, blocks: new Map(), cut: [], calls, unnamed: [] };
}
