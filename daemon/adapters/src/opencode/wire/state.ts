import { withEntry, withoutEntry } from "@muster/core";
import type { Cause, Usage } from "@muster/schema";
import type { Resume, Step } from "../../converter/converter.ts";
import type { NativeError, OpencodeNative } from "./native.ts";
import type { Settings } from "./settings.ts";
import { isSubagentTool } from "./tools.ts";

/** A part of a message whose item is open. */
export interface OpenPart {
  itemId: string;
  parentId: string | undefined;
  sessionID: string;
  messageID: string;
  kind: "message" | "reasoning" | "tool_call";
  /** What was told so far: the text, or for a tool what it printed. */
  told: string;
  /** Lines were lost in between: what comes now does not continue what was told. */
  torn?: boolean;
  /** The model's stream broke off and is tried again: a new part will tell it anew. */
  stale?: boolean;
  call?: OpenCall;
}

interface OpenCall {
  callId: string;
  name: string;
  inputTold: boolean;
  input: unknown;
  /** The session of its sub-agent. */
  child?: string;
  /** The diff its permission was asked with; the end of a `write` tells none (1.18.33). */
  planned?: string;
}

export interface Turn {
  /** Messages of ours that it answers; none when OpenCode began it by itself. */
  messageIds: readonly string[];
  isOwn: boolean;
  busy: boolean;
  /** An assistant message was completed. */
  done: boolean;
  error?: NativeError;
  /** An assistant message was completed or failed since the error. */
  doneSinceError: boolean;
  /** Idle was said, but something that belongs before the end may still come. */
  waiting: boolean;
  waitingSinceMs?: number;
  interrupting: boolean;
  /** Why we stopped it: OpenCode would have gone on asking. */
  failure?: { cause: Cause; message: string };
  /** The copy of the message that began the turn has come; those that follow are steering. */
  heard: boolean;
  /** Sent into the turn and not yet taken by it. */
  steering: readonly string[];
  /** Why the model stopped, in the last step of the conversation itself. */
  finish?: string;
  usage?: Usage;
  costUsd?: number;
  /** Steps that are in the usage. */
  counted: IdSet;
  /** OpenCode's name of the message that began it. */
  firstMessage?: string;
  /** And of the last one in it. */
  lastMessage?: string;
}

/** Ids that are known. */
type IdSet = ReadonlyMap<string, true>;

type Author = "user" | "assistant";

export interface OpencodeState {
  settings: Settings;
  nextItem: number;
  turn: Turn | null;
  /** Messages of this turn, by who wrote them. */
  messages: Readonly<Record<Author, IdSet>>;
  parts: ReadonlyMap<string, OpenPart>;
  /** `<messageID>/<callID>` → the part of a call that is open. */
  calls: ReadonlyMap<string, string>;
  /** Parts that are calls of sub-agents. */
  tasks: ReadonlyMap<string, OpenPart>;
  /** Ids of the parts marked `stale`: the stream broke off in them, and parts of their own say the text anew. */
  stale: readonly string[];
  /** Parts of this turn whose items are completed. */
  closed: IdSet;
  /** Messages up to this one belong to earlier turns. */
  horizon: string;
  newestMessage: string;
  /** Questions and permissions the engine knows of and has not answered. */
  requests: ReadonlySet<string>;
  title: string | undefined;
}

export const noMessages: OpencodeState["messages"] = { user: new Map(), assistant: new Map() };
export const noParts = { parts: new Map(), calls: new Map(), tasks: new Map(), stale: [] } as const;

/** Who wrote a message of this turn; undefined for one that is not known. */
export function authorOf({ messages }: OpencodeState, id: string): Author | undefined {
  if (messages.assistant.has(id)) return "assistant";
  return messages.user.has(id) ? "user" : undefined;
}

/** The same state where the message is known already. */
export function rememberMessage(state: OpencodeState, { id, role }: { id: string; role: Author }): OpencodeState {
  if (authorOf(state, id) !== undefined) return state;
  return { ...state, messages: { ...state.messages, [role]: withEntry(state.messages[role], id, true) } };
}

export type OpencodeStep = Step<OpencodeState, OpencodeNative>;

export function initialState(settings: Settings, resume?: Resume): OpencodeState {
  return {
    settings,
    nextItem: resume?.nextItem ?? 1,
    turn: null,
    messages: noMessages,
    ...noParts,
    closed: new Map(),
    horizon: settings.lastMessageId ?? "",
    newestMessage: settings.lastMessageId ?? "",
    requests: new Set(),
    title: undefined,
  };
}

/** A sub-agent may use the same id of a call, so the message counts too. */
export const callKey = (messageID: string, callID: string) => `${messageID}/${callID}`;

export function withPart(state: OpencodeState, id: string, part: OpenPart): OpencodeState {
  const { call, messageID } = part;
  return {
    ...state,
    parts: withEntry(state.parts, id, part),
    calls: call === undefined ? state.calls : withEntry(state.calls, callKey(messageID, call.callId), id),
    tasks: isSubagentTool(call?.name) ? withEntry(state.tasks, id, part) : state.tasks,
  };
}

export function withoutPart(state: OpencodeState, id: string): OpencodeState {
  const { call, messageID = "" } = state.parts.get(id) ?? {};
  return {
    ...state,
    parts: withoutEntry(state.parts, id),
    calls: call === undefined ? state.calls : withoutEntry(state.calls, callKey(messageID, call.callId)),
    tasks: withoutEntry(state.tasks, id),
    closed: withEntry(state.closed, id, true),
  };
}

export function withRequest(state: OpencodeState, key: string): OpencodeState {
  return { ...state, requests: new Set(state.requests).add(key) };
}

export function withoutRequest(state: OpencodeState, key: string): OpencodeState {
  if (!state.requests.has(key)) return state;
  const requests = new Set(state.requests);
  requests.delete(key);
  return { ...state, requests };
}

/** Ids of messages begin with their time; those that a client of its own chose do not and are never old. */
export function isOld({ horizon }: OpencodeState, messageID: string): boolean {
  return isTimed(messageID) && messageID <= horizon;
}

export function newerMessage(newest: string, messageID: string): string {
  return isTimed(messageID) && messageID > newest ? messageID : newest;
}

function isTimed(messageID: string): boolean {
  return /^msg_[0-9a-f]{12}/.test(messageID);
}
