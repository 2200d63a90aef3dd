import {
  charactersPerToken,
  costOfCall,
  dearestModel,
  type OwnPrices,
  type Usage,
  unitsOf,
  unitsPerCredit,
} from "@muster/metering";

interface Asked {
  readonly model: string;
  readonly n: number;
  readonly maxTokens: number;
  readonly bytes: number;
}

/** What a call costs whose price nobody knows and nobody tells. */
const unknownModelUnits = 25 * unitsPerCredit;

/** In units: the most a call may cost, at the dearest price there is where its own is not known; and its input in any case. */
export function estimateCall(
  { model, n, maxTokens, bytes }: Asked,
  prices: OwnPrices,
): { most: number; input: number } {
  const most = usage(bytes * n, maxTokens * n);
  return {
    most: unitsAt(model, most, prices) ?? unitsAt(dearestModel(), most, {}) ?? unknownModelUnits,
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

/** No token of a provider that keeps to what it was asked for is longer than this, on average over an answer. */
const mostCharactersPerToken = 16;

/** How much of an answer its hold pays for, in characters: more than was asked for, or all that the account has left. */
export function charactersPaidBy(
  { units, isCovered }: { units: number; isCovered: boolean },
  { model, maxTokens, bytes }: Asked,
  prices: OwnPrices,
): number {
  const whole = maxTokens * mostCharactersPerToken;
  const perMillion = isCovered ? undefined : unitsAt(model, usage(0, 1_000_000), prices);
  if (!perMillion) return whole;
  const input = unitsAt(model, estimateUsage({ bytes }, 0), prices) ?? 0;
  return Math.min(whole, (Math.max(0, units - input) / perMillion) * 1_000_000 * charactersPerToken);
}

/** Units of a call without a price. */
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
