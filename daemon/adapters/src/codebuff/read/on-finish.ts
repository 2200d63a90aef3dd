import { type Cause, causes, type Usage } from "@muster/schema";
import { chain, chainEach, emit } from "../../converter/steps.ts";
import { sum } from "../../converter/usage-sum.ts";
import type { AgentExited, TurnFinished } from "../../signals.ts";
import type { FinishLine } from "../wire/native.ts";
import { type CodebuffState, type CodebuffStep, noTurn, type Totals } from "../wire/state.ts";
import { endAllCalls } from "./calls.ts";
import { exitCauses } from "./failures.ts";
import { endAllSubagents } from "./on-subagent.ts";
import { begin, closeAllSpoken, closeSpoken } from "./on-text.ts";

/** The last line of a run. It ends the turn, unless a steering message came too late for it and is answered next. */
export function onFinish(state: CodebuffState, line: FinishLine): CodebuffStep {
  const outcome = outcomeOf(line.status ?? undefined, state);
  const counted = count(state, line);
  const { carried, messageIds } = state.turn;
  const usage = sum(carried?.usage, usageOf(line));
  const cost = costOf(line);
  const costUsd = cost === undefined ? carried?.costUsd : cost + (carried?.costUsd ?? 0);
  const isStopped = outcome.status === "interrupted";
  const waits = !isStopped && [...state.waiting.values()].some(({ steers }) => steers);
  return chain(
    counted,
    (before) => closeOpen(before, outcome.status === "completed"),
    (before) => {
      if (waits) return emit({ ...before, turn: { ...before.turn, carried: { usage, costUsd } } });
      const place = line.entry == null ? undefined : { first: messageIds[0], last: String(line.entry) };
      const data = { ...outcome, usage, costUsd, messageIds: messageIds.length > 0 ? messageIds : undefined, place };
      const waiting = isStopped ? withoutSteering(before.waiting) : before.waiting;
      return emit({ ...before, waiting, turn: noTurn }, { type: "turn.finished", data });
    },
  );
}

/** Steering that had not arrived is dropped with the run that was stopped. */
function withoutSteering(waiting: CodebuffState["waiting"]): CodebuffState["waiting"] {
  return new Map([...waiting].filter(([, { steers }]) => !steers));
}

/** A process that ends says nothing of what was open. One that ended by itself in a run has failed. */
export function onExit(state: CodebuffState, exit: AgentExited): CodebuffStep {
  const isBusy = state.turn.isOpen || state.waiting.size > 0;
  return chain(
    state,
    (before) => closeOpen(before, false),
    (before) => (exit.expected || !isBusy ? emit(before) : failTurn(before, exit)),
  );
}

function failTurn(state: CodebuffState, { exitCode, signal }: AgentExited): CodebuffStep {
  const { failure, messageIds } = state.turn;
  const how = signal === null ? `with code ${exitCode}` : `by ${signal}`;
  const cause = failure?.cause ?? exitCauses[exitCode ?? 0] ?? "agent_exited";
  const message = failure?.message ?? `Codebuff ended ${how} without a finish`;
  const details = { synthetic: true, exitCode: exitCode ?? undefined, signal: signal ?? undefined };
  const error = { type: "error", data: { code: cause, message, retryable: true, details } } as const;
  // How a process ended that said nothing of it is the daemon's to tell.
  if (cause === "agent_exited") return emit(state, error);
  const named = [...messageIds, ...state.waiting.keys()];
  const data: TurnFinished = { status: "failed", cause, message, messageIds: named };
  return emit({ ...state, turn: noTurn, waiting: new Map() }, error, { type: "turn.finished", data });
}

function closeOpen(state: CodebuffState, isWhole: boolean): CodebuffStep {
  const status = isWhole ? "completed" : "cancelled";
  return chain(
    { ...state, asked: new Map() },
    (before) => closeAllSpoken(before, status),
    closeReplacements,
    (before) => endAllCalls(before, "cancelled"),
    (before) => endAllSubagents(before, status),
  );
}

/** What was withdrawn and never said again has an empty item in its place: its id was promised. */
function closeReplacements(state: CodebuffState): CodebuffStep {
  return chainEach(state, [...state.replacements.keys()], (before, agent) =>
    chain(
      before,
      (one) => begin(one, agent, { kind: "message" }),
      (one) => closeSpoken(one, agent, { status: "cancelled" }),
    ),
  );
}

function outcomeOf(status: string | undefined, { turn }: CodebuffState): Omit<TurnFinished, "messageIds"> {
  const { failure } = turn;
  switch (status) {
    case "cancelled":
      return { status: "interrupted" };
    case "max_steps":
      return failedOutcome("max_steps", failure?.message);
    case "timeout":
      return failedOutcome("turn_timeout", failure?.message);
    case "failed":
      return failedOutcome(failure?.cause ?? "agent_error", failure?.message);
    // The original says no status, and says `finish` only after a run that went well.
    default:
      return turn.isCut ? failedOutcome("output_limit", causes.output_limit) : { status: "completed" };
  }
}

function failedOutcome(cause: Cause, message: string | undefined): Omit<TurnFinished, "messageIds"> {
  return { status: "failed", cause, message };
}

/** Of this run, in dollars; a credit is a cent. Unknown where a model without a price took part. */
function costOf({ totalCost, totalCostUsd, costUnknown }: FinishLine): number | undefined {
  return costUnknown ? undefined : (totalCostUsd ?? totalCost / 100);
}

function usageOf({ usage }: FinishLine): Usage | undefined {
  if (!usage) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedInputTokens: cachedInputTokens ?? undefined,
    reasoningTokens: reasoningTokens ?? undefined,
  };
}

/** Sums for the end of the session. */
function count(state: CodebuffState, line: FinishLine): CodebuffState {
  const { totals } = state;
  const cost = costOf(line);
  const sums: Totals = {
    runs: totals.runs + 1,
    credits: totals.credits + line.totalCost,
    dollars: totals.dollars + (cost ?? 0),
    isKnown: totals.isKnown && cost !== undefined,
  };
  const metadata = { ...state.facts.metadata, ...costMetadata(sums) };
  return { ...state, totals: sums, facts: { ...state.facts, metadata } };
}

export function costMetadata({ runs, credits, dollars, isKnown }: Totals) {
  return { runs, totalCost: credits, ...(isKnown ? { totalCostUsd: dollars } : { costUnknown: true }) };
}
