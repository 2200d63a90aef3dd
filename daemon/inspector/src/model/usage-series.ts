import type { SessionFold } from "./session-fold.ts";

export interface TurnUsage {
  turnId: string;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  costUsd: number;
  /** Of the session up to the end of this turn. */
  totalUsd: number;
  /** Of the context, 0 to 1; undefined where the agent does not tell. */
  context?: number;
  contextTokens?: number;
}

/** What each turn used and cost, and how full the context was at its end. */
export function usageSeries({ turns, usage }: Pick<SessionFold, "turns" | "usage">): TurnUsage[] {
  const last = new Map(usage.map((point) => [point.turnId, point.usage]));
  let totalUsd = 0;
  return [...turns.values()].map(({ turnId, ended }) => {
    const told = { ...last.get(turnId), ...ended?.usage };
    const costUsd = ended?.costUsd ?? last.get(turnId)?.costUsd ?? 0;
    totalUsd += costUsd;
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, contextTokens, contextWindow } = told;
    const context = contextTokens !== undefined && contextWindow ? contextTokens / contextWindow : undefined;
    return { turnId, inputTokens, outputTokens, cachedInputTokens, costUsd, totalUsd, context, contextTokens };
  });
}
