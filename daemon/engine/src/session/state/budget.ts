import type { Limits } from "@muster/schema";
import type { Fold } from "../../fold.ts";

/** What the session may still cost; undefined without a budget, and when none is left: then no turn begins. */
export function budgetLeft({ budgetUsd }: Limits, { costUsd }: Fold): number | undefined {
  return budgetUsd === undefined || costUsd >= budgetUsd ? undefined : budgetUsd - costUsd;
}

/** Whether the session has cost what it may cost, the open turn included. */
export function isOverBudget({ budgetUsd }: Limits, { costUsd, turn }: Fold): boolean {
  return budgetUsd !== undefined && costUsd + (turn?.costUsd ?? 0) >= budgetUsd;
}
