import type { Limits } from "@muster/schema";
import type { Fold } from "../../fold.ts";

/** Whether the gateway counts what the session costs; without it what the agent tells is all there is. */
export function isMetered({ settings }: Pick<Fold, "settings">): boolean {
  return settings.keys === "gateway" || settings.keys === "agent";
}

/** What the session may still cost by the agent's own count; undefined without a budget, and when none is left: then no turn begins. */
export function budgetLeft({ budgetUsd }: Limits, { costUsd }: Fold): number | undefined {
  return budgetUsd === undefined || costUsd >= budgetUsd ? undefined : budgetUsd - costUsd;
}

/** Whether the session has cost what it may cost, the open turn included. */
export function isOverBudget(limits: Limits, state: Fold): boolean {
  const { budgetUsd, budgetTokens } = limits;
  if (!isMetered(state)) return budgetUsd !== undefined && state.costUsd + (state.turn?.costUsd ?? 0) >= budgetUsd;
  const { owedNanoUsd, inputTokens, outputTokens } = state.wire.total;
  const isSpent = budgetUsd !== undefined && owedNanoUsd >= Math.round(budgetUsd * 1e9);
  return isSpent || (budgetTokens !== undefined && inputTokens + outputTokens >= budgetTokens);
}
