import type { z } from "zod";
import { chain, emit } from "../../converter/steps.ts";
import { unifiedDiffs } from "../../converter/tools/unified-diff.ts";
import type { Signal, TurnFinished } from "../../signals.ts";
import type { Turn, TurnError } from "../wire/native.ts";
import { type CodexState, type CodexStep, type OpenItem, reply } from "../wire/state.ts";
import { call } from "../write/commands.ts";
import { causeOf, errorOf } from "./failures.ts";
import { addThreadStatus, giveUp, leaveRunning } from "./items.ts";
import { settleUsage } from "./usage.ts";

/** Codex says the id of the turn, in its answer or in `turn/started`, whichever comes first. */
export function nameTurn(state: CodexState, turnId: string): CodexStep {
  const { turn } = state;
  if (turn === null || turn.turnId === turnId) return emit(state);
  const { stop, ...rest } = turn;
  const named = { ...state, turn: { ...rest, turnId } };
  if (stop !== true) return emit(named);
  const { state: next, line } = call(named, "turn/interrupt", { turnId });
  return reply(next, [], [line]);
}

export function startTurn(state: CodexState, turnId: string): CodexStep {
  if (state.turn !== null) return nameTurn(state, turnId);
  return emit({ ...state, turn: { turnId, messageIds: [] } }, { type: "turn.began", data: {} });
}

const statuses: Readonly<Record<string, TurnFinished["status"]>> = {
  completed: "completed",
  interrupted: "interrupted",
};

export function completeTurn(state: CodexState, threadId: string, turn: z.infer<typeof Turn>): CodexStep {
  const error = state.turn?.failure ?? turn.error;
  const status = !error && Object.hasOwn(statuses, turn.status) ? (statuses[turn.status] ?? "failed") : "failed";
  return chain(
    state,
    (before) =>
      before.diff === ""
        ? emit(before)
        : addThreadStatus(before, threadId, {
            label: "turn_diff",
            detail: unifiedDiffs(before.diff, undefined) ?? before.diff,
          }),
    (before) => (turn.status === "interrupted" ? giveUp(before, isRunning, "cancelled") : emit(before)),
    (before) => closeItems(before, threadId, status === "failed" ? "failed" : "cancelled"),
    (before) => dropRequests(before, threadId),
    (before) =>
      finishTurn(before, {
        status,
        cause: error ? causeOf(error) : undefined,
        message: error?.message,
      }),
    (before) => (turn.status === "interrupted" ? cleanTerminals(before) : emit(before)),
  );
}

/** Ends a turn that cannot succeed: Codex would retry for seconds with a key that was refused (0.166.0). */
export function failTurn(state: CodexState, failure: TurnError): CodexStep {
  const { turn } = state;
  if (turn?.turnId === undefined || turn.failure !== undefined) return emit(state);
  const { state: next, line } = call({ ...state, turn: { ...turn, failure } }, "turn/interrupt", {
    turnId: turn.turnId,
  });
  return reply(next, [errorOf(failure)], [line]);
}

/** The turn is over for a reason Codex told in another way than `turn/completed`. */
export function finishTurn(state: CodexState, result: TurnFinished): CodexStep {
  const messageIds = state.turn?.messageIds.length ? state.turn.messageIds : undefined;
  const turnId = state.turn?.turnId;
  const place = turnId === undefined ? undefined : { first: turnId, last: turnId };
  return chain(
    { ...state, turn: null, diff: "" },
    (before) => emit(before, { type: "turn.finished", data: { ...result, messageIds, place } }),
    settleUsage,
  );
}

/** A call that Codex no longer waits for an answer to. */
export function dropRequests(state: CodexState, threadId: string): CodexStep {
  const requests = new Map(state.requests);
  const bodies: Signal[] = [];
  for (const [requestKey, request] of state.requests) {
    if (request.threadId !== threadId) continue;
    requests.delete(requestKey);
    bodies.push({ type: "request.withdrawn", data: { requestKey } });
  }
  return emit({ ...state, requests }, ...bodies);
}

/** An interrupt leaves commands running (0.166.0), in the threads of sub-agents too. */
function cleanTerminals(state: CodexState): CodexStep {
  // The channel says which thread is ours; those of sub-agents are named.
  const threads = [{}, ...[...state.children.keys()].map((threadId) => ({ threadId }))];
  return chain(
    state,
    ...threads.map((params) => (before: CodexState) => {
      const { state: next, line } = call(before, "thread/backgroundTerminals/clean", params);
      return reply(next, [], [line]);
    }),
  );
}

/** At the end of a turn nobody speaks again of what is open in it (0.166.0), but for the commands that go on. */
export function closeItems(state: CodexState, threadId: string, status: "cancelled" | "failed"): CodexStep {
  return chain(
    state,
    (before) => giveUp(before, (open) => open.threadId === threadId && !isRunning(open), status),
    (before) => leaveRunning(before, (open) => open.threadId === threadId && isRunning(open) && !open.background),
  );
}

const isRunning = ({ native, waits }: OpenItem): boolean => native.type === "commandExecution" && waits !== true;
