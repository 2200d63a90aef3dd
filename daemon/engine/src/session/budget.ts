import type { Limits } from "@muster/schema";
import type { Fold } from "./fold.ts";

/** Whether the session has cost what it may cost, the open turn included. */
export function isOverBudget({ budgetUsd }: Limits, { costUsd, turn }: Fold): boolean {
  return budgetUsd !== undefined && costUsd + (turn?.costUsd ?? 0) >= budgetUsd;
}
