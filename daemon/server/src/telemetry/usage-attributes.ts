import type { Usage } from "@muster/schema";
import type { Attributes } from "./span.ts";

/** What was used, as far as it is known. */
export function usageAttributes(usage: Usage | undefined, costUsd: number | undefined): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens,
    "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
    "muster.cost.usd": costUsd,
  };
}
