import type { PrintModeEventOf } from "@muster/codebuff-protocol";

/** What a run has cost, in US dollars. One credit is one cent; only the dollars are exact. */
export function dollarsOfRun({
  totalCost,
  totalCostUsd,
}: Pick<PrintModeEventOf<"finish">, "totalCost" | "totalCostUsd">) {
  return totalCostUsd ?? totalCost / 100;
}
