import type { TurnPlace, Usage } from "@muster/schema";
import { messageItem } from "../../converter/message-item.ts";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { stopOutcome } from "../../converter/stop-outcome.ts";
import { sum } from "../../converter/usage-sum.ts";
import type { TurnFinished } from "../../signals.ts";
import type { ResultLine } from "../wire/native.ts";
import { type ClaudeState, type ClaudeStep, closeTurn } from "../wire/state.ts";
import { failureOf, limitOf } from "./failures.ts";
import { costOfModels, usageOfCall, usageOfModels } from "./usage.ts";

/** The end of one of Claude's turns; whether it went well is told by `is_error`, never by the subtype. */
export function onResult(state: ClaudeState, line: ResultLine): ClaudeStep {
  const refusal = startRefusal(state, line);
  if (refusal !== undefined) return refusal;
  const { usage, costUsd, state: counted } = countUsage(state, line);
  const isAborted = line.terminal_reason?.startsWith("aborted") ?? false;
  const isFailed = line.is_error === true || (line.error !== undefined && line.error !== null);
  if (!isFailed && waitsForSteering(counted)) {
    return emit({ ...counted, turn: { ...counted.turn, carried: { usage, costUsd } } });
  }
  const { failure } = counted.turn;
  if (isFailed && (failure !== undefined || !isAborted)) return failTurn(counted, line, { usage, costUsd });
  if (isAborted) return endTurn(counted, line, { status: "interrupted", usage, costUsd });
  const outcome = stopOutcome(line.stop_reason);
  return chain(
    counted,
    (before) => addAnswer(before, line),
    (before) => endTurn(before, line, { ...outcome, usage, costUsd }),
  );
}

/** It ended before it could hear anything: the conversation is unknown, or it does not run as root. */
function startRefusal(state: ClaudeState, line: ResultLine): ClaudeStep | undefined {
  const message = line.errors?.[0];
  if (state.facts.ready || message === undefined) return undefined;
  const isUnknown = message.startsWith(unknownConversation);
  if (!isUnknown && !line.startup_failure_reason) return undefined;
  const type = isUnknown ? "process_exited" : "unsupported";
  return emit({ ...state, facts: { ready: false, failure: { type, message } } });
}

export const unknownConversation = "No conversation found";

/** A steering message that found no gap in the turn is answered next; to a client that is still the same turn. */
function waitsForSteering({ messages, turn }: ClaudeState): boolean {
  return turn.messageIds.length > 0 && [...messages.values()].some(({ steers, started }) => steers && !started);
}

/** What the turn used and cost. Claude's totals go on over resumed lives, unless it lost count in a crash. */
function countUsage(state: ClaudeState, line: ResultLine) {
  const models = line.model_usage_since_last_result ?? undefined;
  const ofModels = models ? usageOfModels(models) : undefined;
  const ofCalls = state.turn.usage ?? (models === undefined && line.usage ? usageOfCall(line.usage) : undefined);
  const total = line.total_cost_usd ?? undefined;
  const sinceTotal = total === undefined ? undefined : total - (total >= state.costUsd ? state.costUsd : 0);
  const cost = (models ? costOfModels(models) : undefined) ?? sinceTotal;
  const contextTokens = state.turn.usage?.contextTokens ?? ofModels?.contextTokens;
  const measured = ofModels ? { ...ofModels, contextTokens } : ofCalls;
  const contextWindow = ofModels?.contextWindow ?? state.contextWindow;
  const { carried } = state.turn;
  const usage: Usage | undefined = sum(carried?.usage, measured);
  const costUsd = cost === undefined ? carried?.costUsd : cost + (carried?.costUsd ?? 0);
  const { usage: _, ...turn } = state.turn;
  return {
    usage,
    costUsd,
    state: { ...state, turn, costUsd: total ?? state.costUsd, contextWindow },
  };
}

function failTurn(
  state: ClaudeState,
  line: ResultLine,
  counts: { usage: Usage | undefined; costUsd: number | undefined },
): ClaudeStep {
  const known = state.turn.failure;
  const message = known?.message ?? reasonOf(line);
  const { cause, retryable } =
    known === undefined
      ? (limitOf(line.subtype) ?? failureOf({ error: line.api_error, text: message }))
      : { cause: known.cause, retryable: false };
  return chain(
    state,
    (before) =>
      known === undefined ? emit(before, { type: "error", data: { code: cause, message, retryable } }) : emit(before),
    (before) => endTurn(before, line, { status: "failed", cause, message, ...counts }),
  );
}

function reasonOf({ result, errors, error }: ResultLine): string {
  if (result) return result;
  if (errors && errors.length > 0) {
    const reasons = errors.join("; ");
    return reasons.startsWith("[ede_diagnostic]") ? `The model gave no answer that can be used ${reasons}` : reasons;
  }
  return typeof error === "string" ? error : JSON.stringify(error ?? "Claude Code gave no reason");
}

/** Of an answer that came as a result only: one-shot calls print nothing before it. */
function addAnswer(state: ClaudeState, { result }: ResultLine): ClaudeStep {
  if (state.turn.hasSpoken || !result) return emit(state);
  return addItem(state, messageItem({ what: "text", text: result, status: "completed" }));
}

function endTurn(state: ClaudeState, line: ResultLine, finished: TurnFinished): ClaudeStep {
  const output = line.structured_output ?? undefined;
  const messageIds = messagesOf(state, line);
  const place = placeOf(state);
  return emit(closeTurn(state), { type: "turn.finished", data: { ...finished, messageIds, output, place } });
}

/** In the transcript a prompt has the id of its message. */
function placeOf({ turn: { messageIds, lastEntry } }: ClaudeState): TurnPlace | undefined {
  const [first] = messageIds;
  return first === undefined && lastEntry === undefined ? undefined : { first, last: lastEntry };
}

/** A turn that Claude began by itself names no message, and must not end one of ours. */
function messagesOf({ turn }: ClaudeState, { origin, user_message_uuids }: ResultLine): string[] | undefined {
  if (origin !== undefined && origin !== null) return [];
  const named = [...new Set([...turn.messageIds, ...(user_message_uuids ?? [])])];
  return named.length === 0 ? undefined : named;
}
