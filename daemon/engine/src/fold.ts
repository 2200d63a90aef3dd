import { redactShapes, redactValues } from "@muster/core";
import type {
  AgentState,
  AlwaysScope,
  AttachmentInfo,
  Body,
  EventBody,
  EventSource,
  Item,
  Keys,
  PermissionMode,
  PermissionRequested,
  QuestionRequested,
  Usage,
} from "@muster/schema";
import {
  beginKeptTurn,
  endKeptTurn,
  foldAgentChanged,
  foldForked,
  foldRewound,
  type KeptTurn,
  loseTurns,
  type UndoableRewind,
} from "./kept-turns.ts";
import { emptyWire, foldRequest, type WireAccount } from "./wire-account.ts";

/**
 * Everything the engine knows of a session, folded from its events. The same fold runs live and at a restore, so what a
 * restart knows is what the log says. A checkpoint is this value as JSON, and a restore reads only the events after it.
 * What is open is found by its id and counted without looking at the rest: an event costs the same however much is open.
 */
export interface Fold {
  sequence: number;
  /** Whether a life is announced (`session.started`) and not ended. */
  life: "none" | "open" | "ended";
  agentState: AgentState;
  settings: Settings;
  turn: OpenTurn | null;
  items: Map<string, OpenItem>;
  questions: Map<string, QuestionRequested>;
  permissions: Map<string, PermissionRequested>;
  /** Messages that are queued, in order. */
  queue: Map<string, QueuedMessage>;
  /** Every message the session remembers, oldest first; what makes a retry harmless. */
  messages: Map<string, KnownMessage>;
  rules: AlwaysScope[];
  /** The conversation as it stands, oldest first. Missing in a checkpoint of before there were rewinds. */
  turns: KeptTurn[];
  undo?: UndoableRewind;
  /** The agent that works now was told nothing of the turns before: its first message does. */
  owesDigest?: true;
  usage: Usage;
  costUsd: number;
  /** What the gateway counted. */
  wire: WireAccount;
  next: { turn: number; item: number; userItem: number; daemonItem: number; question: number; permission: number };
  updatedAt: string;
  /** When a person last sent a message or answered. Missing in a checkpoint of 0.1. */
  lastUsedAt: string;
  /** The beginning of the first message in one line, for lists: longer than they show, so that a secret in it is whole. */
  opening?: string;
}

interface Settings {
  agentVersion?: string;
  nativeSessionId?: string;
  model?: string;
  agentMode?: string;
  variant?: string;
  permissionMode?: PermissionMode;
  title?: string;
  keys?: Keys;
}

interface OpenTurn {
  turnId: string;
  messageIds: string[];
  origin: "user" | "agent";
  startedAt: string;
  /** Of its `turn.started`. Missing in a checkpoint of 0.1. */
  sequence?: number;
  /** The agent has said something in this turn. */
  alive: boolean;
  usage?: Usage;
  costUsd?: number;
}

export interface OpenItem {
  item: Item;
  turnId?: string;
  /** Text so far, by position in `content`: an item closed by us must still equal its deltas. */
  deltas: Record<number, string>;
  /** Its newest pieces. A text that grew by each of them would be a chain of as many links, moved by every collection. */
  recent?: Record<number, string[]>;
}

export interface QueuedMessage {
  messageId: string;
  text: string;
  attachments: AttachmentInfo[];
  delivery: "queue" | "steer";
}

interface KnownMessage {
  sequence: number;
  digest: string;
  status: Body<"message.updated">["data"]["status"];
  turnId?: string;
  /** The event with which everything about this message was over. */
  endSequence?: number;
  rewound?: true;
}

/** Beyond this many, the oldest settled messages are forgotten: a retry that late is a new message. */
const rememberedMessages = 10_000;
const forgottenAtOnce = 1_000;
const recentPieces = 512;

export function emptyFold(createdAt: string): Fold {
  return {
    sequence: 0,
    life: "none",
    agentState: "asleep",
    settings: {},
    turn: null,
    items: new Map(),
    questions: new Map(),
    permissions: new Map(),
    queue: new Map(),
    messages: new Map(),
    rules: [],
    turns: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: 0,
    wire: emptyWire(),
    next: { turn: 1, item: 1, userItem: 1, daemonItem: 1, question: 1, permission: 1 },
    updatedAt: createdAt,
    lastUsedAt: createdAt,
  };
}

export interface FoldedEvent {
  sequence: number;
  time: string;
  source: EventSource;
  turnId?: string;
  body: EventBody;
}

/** Folds one event in place: the hot path cannot afford a copy per delta. */
export function fold(state: Fold, { sequence, time, source, turnId, body }: FoldedEvent): void {
  state.sequence = sequence;
  state.updatedAt = time;
  if (source === "agent" && state.turn && turnId === state.turn.turnId) state.turn.alive = true;
  switch (body.type) {
    case "item.delta":
      return foldDelta(state, body.data);
    case "item.started":
      return foldItemStarted(state, body.data.item, turnId);
    case "item.completed":
      state.items.delete(body.data.item.itemId);
      return;
    case "session.started":
      state.life = "open";
      state.agentState = "ready";
      if (body.data.contextLost) loseTurns(state);
      return adopt(state.settings, body.data);
    case "session.updated":
      if (body.data.agentState) state.agentState = body.data.agentState;
      if (body.data.contextLost) loseTurns(state);
      return adopt(state.settings, body.data);
    case "session.ended":
      state.life = "ended";
      state.agentState = "asleep";
      return;
    case "message.updated":
      if (body.data.status === "queued") state.lastUsedAt = time;
      return foldMessage(state, sequence, body.data);
    case "turn.started":
      state.turn = { ...body.data, messageIds: [...body.data.messageIds], startedAt: time, sequence, alive: false };
      state.next.turn++;
      return beginKeptTurn(state, body.data.turnId);
    case "turn.ended":
      endKeptTurn(state, body.data);
      return foldTurnEnded(state, sequence, body.data);
    case "session.rewound":
      return foldRewound(state, body.data);
    case "session.forked":
      state.wire = emptyWire();
      return foldForked(state, body.data);
    case "agent.changed":
      return foldAgentChanged(state, body.data);
    case "question.requested":
      state.questions.set(body.data.questionId, body.data);
      state.next.question++;
      return;
    case "question.resolved":
      state.questions.delete(body.data.questionId);
      if (body.data.status === "answered" || body.data.status === "rejected") state.lastUsedAt = time;
      return;
    case "permission.requested":
      state.permissions.set(body.data.permissionId, body.data);
      state.next.permission++;
      return;
    case "permission.resolved":
      if (body.data.by === "user") state.lastUsedAt = time;
      return foldPermissionResolved(state, body.data);
    case "usage.updated":
      return foldUsage(state, body.data, turnId);
    case "budget.warned":
      state.wire.warnedUsd = body.data.budgetUsd;
      return;
    case "plan.updated":
    case "error":
    case "agent.unparsed":
    case "snapshot.skipped":
    case "log.damaged":
      return;
  }
}

function foldDelta(state: Fold, { itemId, index, part, delta }: Body<"item.delta">["data"]): void {
  const open = state.items.get(itemId);
  if (!open || part === "output") return;
  open.recent ??= {};
  const recent = open.recent[index];
  if (recent === undefined) open.recent[index] = [delta];
  else if (recent.push(delta) >= recentPieces) {
    open.deltas[index] = (open.deltas[index] ?? "") + recent.join("");
    open.recent[index] = [];
  }
}

/** The text that the deltas of an item add up to, by position in its content. */
export function textOf({ deltas, recent = {} }: OpenItem): Record<number, string> {
  const text = { ...deltas };
  for (const [index, pieces] of Object.entries(recent))
    text[Number(index)] = (text[Number(index)] ?? "") + pieces.join("");
  return text;
}

function foldItemStarted(state: Fold, item: Item, turnId: string | undefined): void {
  state.items.set(item.itemId, { item, turnId, deltas: {} });
  const [prefix, number] = item.itemId.split("_");
  if (prefix === "item") state.next.item = Math.max(state.next.item, Number(number) + 1);
  else if (prefix === "user") state.next.userItem++;
  else if (prefix === "daemon") state.next.daemonItem++;
}

function foldMessage(state: Fold, sequence: number, data: Body<"message.updated">["data"]): void {
  const { messageId, status } = data;
  if (status === "queued") {
    const { message = "", attachments = [], delivery = "queue", digest = "" } = data;
    state.opening ??= openingOf(message);
    state.queue.set(messageId, { messageId, text: message, attachments, delivery });
    state.messages.set(messageId, { sequence, digest, status });
    if (state.messages.size > rememberedMessages && state.messages.size % forgottenAtOnce === 0)
      forgetOldMessages(state);
    return;
  }
  state.queue.delete(messageId);
  const known = state.messages.get(messageId);
  if (known) Object.assign(known, { status, turnId: data.turnId });
  if (known && (status === "cancelled" || status === "failed")) known.endSequence = sequence;
  if (status === "joined" && state.turn) state.turn.messageIds.push(messageId);
}

const openingLength = 1_000;

/** A key that was pasted is known by its shape; what is known by value the session takes out. */
function openingOf(message: string): string | undefined {
  const line = message.slice(0, openingLength).replace(/\s+/g, " ").trim();
  return redactValues(redactShapes(line)) || undefined;
}

/** A message that still waits goes behind all others: a long queue is not looked through again at the next time. */
function forgetOldMessages({ messages }: Fold): void {
  let looked = 0;
  for (const [id, known] of messages) {
    if (messages.size <= rememberedMessages || looked++ === forgottenAtOnce) return;
    messages.delete(id);
    if (known.status === "queued") messages.set(id, known);
  }
}

function foldTurnEnded(state: Fold, sequence: number, { usage, costUsd }: Body<"turn.ended">["data"]): void {
  for (const messageId of state.turn?.messageIds ?? []) {
    const known = state.messages.get(messageId);
    if (known) known.endSequence = sequence;
  }
  state.turn = null;
  if (costUsd) state.costUsd += costUsd;
  if (!usage) return;
  const total = state.usage;
  total.inputTokens += usage.inputTokens;
  total.outputTokens += usage.outputTokens;
  if (usage.cachedInputTokens) total.cachedInputTokens = (total.cachedInputTokens ?? 0) + usage.cachedInputTokens;
  if (usage.reasoningTokens) total.reasoningTokens = (total.reasoningTokens ?? 0) + usage.reasoningTokens;
}

function foldPermissionResolved(state: Fold, data: Body<"permission.resolved">["data"]): void {
  const asked = state.permissions.get(data.permissionId);
  state.permissions.delete(data.permissionId);
  if (asked && data.decision === "allow" && data.scope === "session" && isAnswer(data)) {
    state.rules.push(...asked.alwaysScope);
  }
}

/** Somebody outside decided, in person or by a program. */
function isAnswer({ by }: Body<"permission.resolved">["data"]): boolean {
  return by === "user" || by === "client";
}

function foldUsage(state: Fold, data: Body<"usage.updated">["data"], turnId: string | undefined): void {
  const { costUsd, wire: _, request, ...usage } = data;
  // What the gateway counted says nothing new of what the agent says.
  if (request) return foldRequest(state.wire, request, turnId);
  if (!state.turn) return;
  state.turn.usage = usage;
  if (costUsd !== undefined) state.turn.costUsd = costUsd;
}

const settingNames = [
  "agentVersion",
  "nativeSessionId",
  "model",
  "agentMode",
  "variant",
  "permissionMode",
  "title",
  "keys",
] as const satisfies readonly (keyof Settings)[];

function adopt(settings: Settings, data: Settings): void {
  for (const name of settingNames) if (data[name] !== undefined) Object.assign(settings, { [name]: data[name] });
}
