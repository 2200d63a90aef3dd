import type { Usage } from "@muster/schema";

/** The window stays the first one: the model of the conversation is named before those of its helpers. */
export function sum(left: Usage | undefined, right: Usage | undefined): Usage | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const add = (one: number | undefined, other: number | undefined) =>
    one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedInputTokens: add(left.cachedInputTokens, right.cachedInputTokens),
    reasoningTokens: add(left.reasoningTokens, right.reasoningTokens),
    contextTokens: right.contextTokens ?? left.contextTokens,
    contextWindow: left.contextWindow ?? right.contextWindow,
  };
}
