import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { ReasoningOptions } from "@muster/codebuff-protocol";
import type { ModelRequest } from "@muster/codebuff-runtime";
import type { OwnProvider } from "./own-keys.ts";

const budgets = { minimal: 1_024, low: 4_000, medium: 10_000, high: 24_000, none: 0 } as const;

/** What an agent wants beyond the common settings, in the words of each kind of service. */
export function providerOptions(type: OwnProvider["type"], request: ModelRequest): SharedV3ProviderOptions {
  const { reasoningOptions: reasoning } = request.agent;
  switch (type) {
    case "anthropic":
      return { anthropic: anthropicThinking(reasoning, request) };
    case "openai": {
      const effort = reasoning?.enabled === false ? undefined : reasoning?.effort;
      const summary = effort === undefined || reasoning?.exclude === true ? undefined : "auto";
      return { openai: json({ store: false, reasoningEffort: effort, reasoningSummary: summary }) };
    }
    case "openrouter":
      return {
        openaiCompatible: json({ reasoning, provider: request.agent.providerOptions, usage: { include: true } }),
      };
    case "openai-compatible":
      return {
        openaiCompatible: json({ reasoningEffort: reasoning?.enabled === false ? undefined : reasoning?.effort }),
      };
  }
}

/**
 * Between a call and its result the service wants its own signed thoughts back, which our history does not keep: an agent
 * thinks before its first call of a turn.
 */
function anthropicThinking(reasoning: ReasoningOptions | undefined, { messages, maxTokens }: ModelRequest) {
  const budget = reasoning?.max_tokens ?? budgets[reasoning?.effort ?? "none"];
  if (reasoning === undefined || reasoning.enabled === false || budget < 1_024) return {};
  const lastPrompt = messages.findLastIndex((message) => message.tags?.includes("USER_PROMPT"));
  const isMidTurn = messages.slice(lastPrompt + 1).some((message) => message.role === "assistant");
  if (isMidTurn) return {};
  return { thinking: { type: "enabled", budgetTokens: Math.min(budget, maxTokens - 1_024) } };
}

/** Without what is not set: the wire has no undefined. */
export function json(value: Record<string, unknown>): SharedV3ProviderOptions[string] {
  return JSON.parse(JSON.stringify(value)) as SharedV3ProviderOptions[string];
}
