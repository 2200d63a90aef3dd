import { charactersPerToken, costOfCall, type OwnPrices, type Usage } from "@muster/metering";
import type { Spending } from "@muster/schema";
import type { Amount } from "../amount.ts";
import type { Told } from "./answer-events.ts";

/** Prices as they are at a moment. */
export interface Prices {
  readonly own: OwnPrices;
  readonly at: Date;
}

export const noSpending: Spending = {
  requests: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  listNanoUsd: 0,
};

/** Whether a model has a price: without one a budget in dollars says nothing. */
export function isPriced(model: string, { own, at }: Prices): boolean {
  return costOfCall(model, usageOf(0, 0), at, own).from !== "nowhere";
}

/** What one request has used, at list prices; a model without a price costs nothing there. */
export function spendingOf(model: string, usage: Usage, { own, at }: Prices): Spending {
  const cost = costOfCall(model, { ...usage, nanoDollars: undefined }, at, own);
  return {
    requests: 1,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.reasoningTokens,
    listNanoUsd: cost.from === "nowhere" ? 0 : cost.nanoDollars,
    ...(usage.nanoDollars !== undefined && { billedNanoUsd: usage.nanoDollars }),
  };
}

/** The usage as far as it is known: what the wire has told, and the rest by its characters. */
export function usageSoFar({ usage, isFinal, characters }: Told, inputTokens: number): Usage {
  if (usage !== undefined && isFinal) return usage;
  const counted = Math.ceil(characters / charactersPerToken);
  const known = usage ?? usageOf(inputTokens, 0);
  return { ...known, outputTokens: Math.max(counted, known.outputTokens) };
}

export function usageOf(inputTokens: number, outputTokens: number): Usage {
  return {
    inputTokens,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    longCacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: 0,
  };
}

/** What a budget counts of it: what the provider says it billed, else the list price. */
export function amountOf({ listNanoUsd, billedNanoUsd, inputTokens, outputTokens }: Spending): Amount {
  return { nanoUsd: billedNanoUsd ?? listNanoUsd, tokens: inputTokens + outputTokens };
}
