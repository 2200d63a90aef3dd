import type { AlwaysScope, Body, TurnPlace } from "@muster/schema";
import type { Fold } from "./fold.ts";

/** A turn of the conversation as the agent knows it; what was rewound is none. */
export interface KeptTurn extends TurnPlace {
  turn: number;
  turnId: string;
  /** How many rules had been granted when it ended. */
  rules: number;
  /** Its agent does not have it in the conversation it leads now: another agent had it, or it was lost. */
  foreign?: true;
}

/** What the last rewind took away, until a turn begins. */
export interface UndoableRewind {
  token: string;
  toTurn: number;
  chat: boolean;
  files: boolean;
  turns: KeptTurn[];
  rules: AlwaysScope[];
  nativeSessionId?: string;
  /** By which the files are brought back; lost where a kill cut the rewind. */
  fileUndo?: string;
}

/** Turns count from 1; their ids say their number. */
export function turnNumber(turnId: string): number {
  return Number(turnId.slice(turnId.indexOf("_") + 1));
}

export function beginKeptTurn(state: Fold, turnId: string): void {
  delete state.undo;
  delete state.owesDigest;
  state.turns.push({ turn: turnNumber(turnId), turnId, rules: state.rules.length });
}

export function endKeptTurn(state: Fold, { turnId, place }: Body<"turn.ended">["data"]): void {
  const kept = state.turns.at(-1);
  if (kept?.turnId !== turnId) return;
  kept.rules = state.rules.length;
  if (place === undefined) return;
  if (place.first !== undefined) kept.first = place.first;
  if (place.last !== undefined) kept.last = place.last;
}

/** The conversation it leads now has none of the turns before. */
export function loseTurns(state: Fold): void {
  for (const kept of state.turns) kept.foreign = true;
}

export function foldRewound(state: Fold, data: Body<"session.rewound">["data"]): void {
  if (data.undone) return foldUndone(state, data);
  const { token, toTurn, chat, files, nativeSessionId, fileUndo } = data;
  const { turns, rules, settings } = state;
  const before = { turns, rules, nativeSessionId: settings.nativeSessionId };
  state.undo = { token, toTurn, chat, files, fileUndo, ...structuredClone(before) };
  if (!chat) return;
  state.turns = turns.filter(({ turn }) => turn <= toTurn);
  state.rules = rules.slice(0, state.turns.at(-1)?.rules ?? 0);
  adoptConversation(state, nativeSessionId, data.places);
  markMessages(state, data.turns, true);
}

function foldUndone(state: Fold, { token, chat, turns, nativeSessionId }: Body<"session.rewound">["data"]): void {
  const { undo } = state;
  delete state.undo;
  if (!chat || undo?.token !== token) return;
  state.turns = undo.turns;
  state.rules = undo.rules;
  state.settings.nativeSessionId = nativeSessionId;
  markMessages(state, turns, false);
}

export function foldForked(state: Fold, { nativeSessionId, places }: Body<"session.forked">["data"]): void {
  delete state.undo;
  state.agentState = "asleep";
  adoptConversation(state, nativeSessionId, places);
  // What it cost was the other session's to pay.
  state.usage = { inputTokens: 0, outputTokens: 0 };
  state.costUsd = 0;
}

export function foldAgentChanged(state: Fold, { model, nativeSessionId, how }: Body<"agent.changed">["data"]): void {
  delete state.undo;
  if (how === "digest") state.owesDigest = true;
  else delete state.owesDigest;
  const { title, permissionMode } = state.settings;
  state.settings = { title, permissionMode, model, nativeSessionId };
  state.life = "ended";
  state.agentState = "asleep";
  loseTurns(state);
}

function adoptConversation(state: Fold, nativeSessionId: string | undefined, places?: readonly TurnPlace[]): void {
  if (nativeSessionId === undefined) delete state.settings.nativeSessionId;
  else state.settings.nativeSessionId = nativeSessionId;
  if (places === undefined) return;
  state.turns = state.turns.map(({ first: _, last: __, ...kept }, index) => ({ ...kept, ...places[index] }));
}

/** An agent may take a message it has seen for the one it was: given again it needs another id. */
function markMessages({ messages }: Fold, turnIds: readonly string[], isRewound: boolean): void {
  const turns = new Set(turnIds);
  for (const known of messages.values()) {
    if (known.turnId === undefined || !turns.has(known.turnId)) continue;
    if (isRewound) known.rewound = true;
    else delete known.rewound;
  }
}
