import type { Usage } from "@muster/schema";

/** More than any turn has, and few enough that a session's sum stays exact. */
const mostTokens = 1e12;
const mostUsd = 1e9;

type Counted = Partial<Usage> & { costUsd?: number };

/** What an agent says it used, where it can be so: the sums of a session are made of it, and a budget relies on them. */
export function plausibleUsage<T extends Counted>(counted: T): T {
  const { costUsd, contextWindow } = counted;
  const plausible: Counted = { ...counted };
  for (const name of counts) if (counted[name] !== undefined) plausible[name] = within(counted[name], mostTokens);
  if (contextWindow !== undefined) plausible.contextWindow = within(contextWindow, mostTokens) || undefined;
  if (costUsd !== undefined) plausible.costUsd = costUsd >= 0 ? Math.min(costUsd, mostUsd) : 0;
  return plausible as T;
}

const counts = [
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "reasoningTokens",
  "contextTokens",
] as const satisfies readonly (keyof Usage)[];

function within(value: number, most: number): number {
  return value >= 0 ? Math.min(Math.floor(value), most) : 0;
}
