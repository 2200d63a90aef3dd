import { withEntry } from "@muster/core";
import type { Body } from "@muster/schema";
import { emit } from "../../converter/steps.ts";
import type { Notified, Tokens } from "../wire/native.ts";
import { type CodexState, type CodexStep, isOwn } from "../wire/state.ts";

const none: Tokens = {
  totalTokens: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
};

/** Codex tells the totals of a thread; a turn's usage is what they grew by since it began, sub-agents included. */
export function onUsage(state: CodexState, { threadId, tokenUsage }: Notified<"thread/tokenUsage/updated">): CodexStep {
  const { total, last, modelContextWindow } = tokenUsage;
  const isRest = isOwn(state, threadId) && state.turn === null;
  const isNew = !state.baselines.has(threadId);
  const baselines = isRest
    ? withEntry(state.baselines, threadId, total)
    : isNew
      ? withEntry(state.baselines, threadId, difference(total, last))
      : state.baselines;
  const next = { ...state, baselines, totals: withEntry(state.totals, threadId, total) };
  // A resumed thread tells what it used in earlier lives; a sub-agent that goes on counts for the next turn.
  if (state.turn === null) return emit(next);
  const context = isOwn(state, threadId)
    ? { contextTokens: last.totalTokens, contextWindow: modelContextWindow ?? undefined }
    : {};
  const data: Body<"usage.updated">["data"] = { ...usageOf(sumSpent(next)), ...context };
  return emit(next, { type: "usage.updated", data });
}

/** The next turn counts from here. */
export function settleUsage(state: CodexState): CodexStep {
  return emit({ ...state, baselines: state.totals });
}

function sumSpent({ totals, baselines }: CodexState): Tokens {
  let sum = none;
  for (const [threadId, total] of totals) sum = plus(sum, difference(total, baselines.get(threadId) ?? none));
  return sum;
}

function usageOf(tokens: Tokens) {
  return {
    inputTokens: tokens.inputTokens,
    outputTokens: tokens.outputTokens,
    cachedInputTokens: tokens.cachedInputTokens,
    reasoningTokens: tokens.reasoningOutputTokens,
  };
}

const fields = Object.keys(none) as (keyof Tokens)[];

function difference(left: Tokens, right: Tokens): Tokens {
  return combine((field) => Math.max(0, left[field] - right[field]));
}

function plus(left: Tokens, right: Tokens): Tokens {
  return combine((field) => left[field] + right[field]);
}

function combine(value: (field: keyof Tokens) => number): Tokens {
  const result = { ...none };
  for (const field of fields) result[field] = value(field);
  return result;
}
