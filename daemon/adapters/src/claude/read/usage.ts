import type { Usage } from "@muster/schema";
import { sum } from "../../converter/usage-sum.ts";
import type { ApiUsage, ModelUsage } from "../wire/native.ts";

/** `inputTokens` counts cached ones too, as everywhere in this daemon; Anthropic counts them apart. */
export function usageOfCall(usage: ApiUsage): Usage {
  const cached = usage.cache_read_input_tokens ?? undefined;
  const input = (usage.input_tokens ?? 0) + (cached ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    inputTokens: input,
    outputTokens: usage.output_tokens ?? 0,
    cachedInputTokens: cached,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? undefined,
  };
}

/** What all models of a turn used together; undefined when none did. */
export function usageOfModels(models: Readonly<Record<string, ModelUsage>>): Usage | undefined {
  return Object.values(models).map(usageOfModel).reduce<Usage | undefined>(sum, undefined);
}

function usageOfModel(usage: ModelUsage): Usage {
  const cached = usage.cacheReadInputTokens ?? undefined;
  return {
    inputTokens: usage.inputTokens + (cached ?? 0) + (usage.cacheCreationInputTokens ?? 0),
    outputTokens: usage.outputTokens,
    cachedInputTokens: cached,
    reasoningTokens: usage.thinkingTokens ?? undefined,
    contextWindow: usage.contextWindow ?? undefined,
  };
}

export function costOfModels(models: Readonly<Record<string, ModelUsage>>): number | undefined {
  const costs = Object.values(models).flatMap(({ costUSD }) => (typeof costUSD === "number" ? [costUSD] : []));
  return costs.length === 0 ? undefined : costs.reduce((one, other) => one + other, 0);
}
