import { retryDetail } from "../../converter/retry-detail.ts";
import { chain, emit } from "../../converter/steps.ts";
import type { TurnFinished } from "../../signals.ts";
import type { MessageInfo, NativeError, NativeStatus } from "../wire/native.ts";
import { isOld, noMessages, noParts, type OpencodeState, type OpencodeStep, type Turn } from "../wire/state.ts";
import { abortCall } from "../write/commands.ts";
import { causeOf, describeError, errorBody, isAbort } from "./failures.ts";
import { addSessionStatus } from "./items.ts";
import { markStale } from "./texts.ts";

/**
 * When a turn is over. OpenCode says idle once after a turn that went well, once or twice after one that failed, and
 * never for one that could not begin; so an end is told once, by these rules:
 * (a) idle, no error in this turn: the end;
 * (b) after an error not before an idle, and then with the end of the assistant's message, with a second idle, or after
 *     a moment; busy again means that it was not the end;
 * (c) an error before OpenCode was busy: the end, because nothing else will come.
 */
const graceMs = 1_500;

/** As many as the other agents: with its pauses of 2, 4, 8 … s OpenCode would ask a dead endpoint for more than a minute (1.18.33). */
const mostRetries = 3;

const fresh = {
  busy: false,
  done: false,
  doneSinceError: false,
  waiting: false,
  interrupting: false,
  heard: false,
  steering: [],
  counted: new Map(),
} as const;

export function startTurn(state: OpencodeState, messageId: string): OpencodeState {
  return { ...forgetTurn(state), turn: { ...fresh, isOwn: true, messageIds: [messageId] } };
}

export function steerTurn(state: OpencodeState, messageId: string): OpencodeState {
  const { turn } = state;
  return turn === null ? state : { ...state, turn: { ...turn, steering: [...turn.steering, messageId] } };
}

/** OpenCode's copy of a message: the first of a turn is what began it, the next ones have joined it. */
export function onUserMessage(state: OpencodeState, id: string): OpencodeStep {
  const { turn } = state;
  if (turn === null) return emit(state);
  if (turn.isOwn && !turn.heard) return emit({ ...state, turn: { ...turn, heard: true, firstMessage: id } });
  const [messageId, ...steering] = turn.steering;
  if (messageId === undefined) return emit(state);
  const next = { ...state, turn: { ...turn, steering, messageIds: [...turn.messageIds, messageId] } };
  return emit(next, { type: "message.joined", data: { messageId } });
}

export function interruptTurn(state: OpencodeState): OpencodeState {
  return state.turn === null ? state : { ...state, turn: { ...state.turn, interrupting: true } };
}

export function onStatus(state: OpencodeState, sessionID: string, status: NativeStatus): OpencodeStep {
  const isRoot = sessionID === state.settings.nativeSessionId;
  switch (status.type) {
    case "busy":
      return isRoot ? onBusy(state) : emit(state);
    case "retry":
      return onRetry(state, sessionID, status);
    // session.idle follows.
    case "idle":
      return emit(state);
  }
}

export function onIdle(state: OpencodeState): OpencodeStep {
  const { turn } = state;
  // Before the turn was busy this is the late second idle of the turn before.
  if (turn === null || !turn.busy) return emit(state);
  const isEnd = turn.error === undefined ? turn.done : turn.doneSinceError || turn.waiting;
  return isEnd ? endTurn(state, turn) : emit({ ...state, turn: { ...turn, waiting: true } });
}

export function onError(state: OpencodeState, error: NativeError): OpencodeStep {
  const { turn } = state;
  if (turn === null) return emit(state);
  // Nobody has stopped what has not begun: the run before, which ended when its directory was closed, tells its abort late.
  if (!turn.busy && !turn.interrupting && isAbort(error)) return emit(state);
  const next = { ...turn, error, doneSinceError: false };
  // Some errors are told a second time after the idle, with a stack trace.
  const isKnown = turn.waiting && turn.error !== undefined;
  const bodies = isKnown || isAbort(error) || turn.interrupting ? [] : [errorBody(error)];
  if (!turn.busy) {
    const end = endTurn({ ...state, turn: next }, next);
    return { ...end, bodies: [...bodies, ...end.bodies] };
  }
  return emit({ ...state, turn: next }, ...bodies);
}

/** A message of the conversation itself, not of a sub-agent. */
export function onAssistantUpdated(state: OpencodeState, { time, error, id }: MessageInfo): OpencodeStep {
  const { turn } = state;
  if (turn === null || isOld(state, id) || (time.completed === undefined && error === undefined)) return emit(state);
  const next = { ...turn, done: true, doneSinceError: turn.error !== undefined, lastMessage: id };
  if (turn.waiting && turn.error !== undefined) return endTurn({ ...state, turn: next }, next);
  return emit({ ...state, turn: next });
}

export function onTick(state: OpencodeState, nowMs: number): OpencodeStep {
  const { turn } = state;
  if (turn === null || !turn.waiting) return emit(state);
  if (turn.waitingSinceMs === undefined) return emit({ ...state, turn: { ...turn, waitingSinceMs: nowMs } });
  return nowMs - turn.waitingSinceMs >= graceMs ? endTurn(state, turn) : emit(state);
}

/** The server did not take the prompt. */
export function refusePrompt(state: OpencodeState, message: string): OpencodeStep {
  const { turn } = state;
  if (turn === null || turn.busy) return emit(state);
  return endTurn(state, { ...turn, error: { name: "Refused", data: { message } } });
}

function onBusy(state: OpencodeState): OpencodeStep {
  const { turn } = state;
  if (turn === null) {
    const begun: Turn = { ...fresh, isOwn: false, messageIds: [], busy: true };
    return emit({ ...forgetTurn(state), turn: begun }, { type: "turn.began", data: {} });
  }
  const { error: _, waitingSinceMs: __, ...rest } = turn;
  const next = { ...state, turn: { ...rest, busy: true, waiting: false, doneSinceError: false } };
  // An abort that came before the run had begun stopped nothing.
  const replies = turn.interrupting && !turn.busy ? [abortCall(state.settings)] : [];
  return { state: next, bodies: [], replies };
}

function onRetry(
  state: OpencodeState,
  sessionID: string,
  { attempt, message, next }: Extract<NativeStatus, { type: "retry" }>,
): OpencodeStep {
  if (attempt > mostRetries) return giveUp(state, message);
  return chain(
    markStale(state, sessionID),
    (now) =>
      addSessionStatus(
        now,
        { id: `retry_${sessionID}_${attempt}_${next}`, sessionID },
        "retrying",
        retryDetail({ attempt, most: mostRetries, reason: message }),
      ),
    (now) => emit(now, { type: "retry.announced", data: { untilMs: next } }),
  );
}

function giveUp(state: OpencodeState, message: string): OpencodeStep {
  const { turn } = state;
  if (turn === null || turn.interrupting || turn.failure !== undefined) return emit(state);
  const cause = /rate limit|too many requests/i.test(message) ? "rate_limited" : "provider_error";
  return {
    state: { ...state, turn: { ...turn, failure: { cause, message } } },
    bodies: [{ type: "error", data: { code: cause, message, retryable: true } }],
    replies: [abortCall(state.settings)],
  };
}

function endTurn(state: OpencodeState, turn: Turn): OpencodeStep {
  const { usage, costUsd, messageIds } = turn;
  const { firstMessage: first, lastMessage: last } = turn;
  const place = first === undefined && last === undefined ? undefined : { first, last };
  const data = { ...outcomeOf(turn), usage, costUsd, messageIds: turn.isOwn ? messageIds : undefined, place };
  return emit({ ...state, turn: null }, { type: "turn.finished", data });
}

function outcomeOf({ error, interrupting, failure, done, finish = "" }: Turn): TurnFinished {
  if (failure !== undefined && !interrupting) return { status: "failed", ...failure };
  if (interrupting || (error !== undefined && isAbort(error))) return { status: "interrupted" };
  if (error === undefined && done) return finishes[finish] ?? { status: "completed" };
  if (error === undefined)
    return { status: "failed", cause: "agent_error", message: "OpenCode stopped without an answer" };
  return { status: "failed", cause: causeOf(error), message: describeError(error) };
}

/** Why a model stopped → what that is for a turn. `stop` and `tool-calls` are how it should be, `other` tells nothing. */
const finishes: Readonly<Record<string, TurnFinished>> = {
  length: { status: "failed", cause: "output_limit", message: "The model reached its output limit" },
  "content-filter": { status: "failed", cause: "refused", message: "The provider's filter stopped the answer" },
  error: { status: "failed", cause: "provider_error", message: "The model stopped with an error" },
};

/** What belongs to turns before; parts that never ended there will not end any more. */
function forgetTurn(state: OpencodeState): OpencodeState {
  return { ...state, messages: noMessages, ...noParts, closed: new Map(), horizon: state.newestMessage };
}
