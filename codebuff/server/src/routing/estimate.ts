import { costOfCall, type OwnPrices, type Usage, unitsOf, unitsPerCredit } from "@muster/metering";

interface Asked {
  readonly model: string;
  readonly n: number;
  readonly maxTokens: number;
  readonly bytes: number;
}

/** Held for a model whose price nobody knows. */
const unknownModelUnits = 25 * unitsPerCredit;

/** Characters of a request or an answer that make a token, on average. */
const charactersPerToken = 4;

/** In units: the most a call may cost, and what its input costs in any case. */
export function estimateCall(
  { model, n, maxTokens, bytes }: Asked,
  prices: OwnPrices,
): { most: number; input: number } {
  return {
    most: unitsAt(model, usage(bytes * n, maxTokens * n), prices) ?? unknownModelUnits,
    input: unitsAt(model, usage(Math.ceil(bytes / charactersPerToken) * n, 0), prices) ?? unknownModelUnits,
  };
}

/** What a request has used when its service did not say: by the length of what went there and of what came back. */
export function estimateUsage({ bytes }: Pick<Asked, "bytes">, outputCharacters: number): Usage {
  return usage(Math.ceil(bytes / charactersPerToken), Math.ceil(outputCharacters / charactersPerToken));
}

/** What has come back so far, in units. */
export function outputUnits(model: string, outputCharacters: number, prices: OwnPrices): number {
  return unitsAt(model, usage(0, Math.ceil(outputCharacters / charactersPerToken)), prices) ?? 0;
}

/** Units of a call without a price: the flat amount that was set aside for it. */
export function flatUnits(): number {
  return unknownModelUnits;
}

function unitsAt(model: string, used: Usage, prices: OwnPrices): number | undefined {
  const cost = costOfCall(model, used, new Date(), prices);
  return cost.from === "nowhere" ? undefined : unitsOf(cost.nanoDollars);
}

function usage(inputTokens: number, outputTokens: number): Usage {
  return {
    inputTokens,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    longCacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: 0,
  };
}
