import type { Price, Rates } from "./price-table.ts";
import { type OwnPrices, priceOf } from "./prices.ts";
import type { Usage } from "./usage.ts";

/** A cost says where it comes from; without a price there is none, instead of an invented one. */
export type CallCost =
  | { readonly from: "service"; readonly nanoDollars: number }
  | { readonly from: "price table"; readonly nanoDollars: number; readonly price: Price | Rates }
  | { readonly from: "nowhere"; readonly reason: string };

/** What a call cost: the service's own word where it gives one, else tokens at the price of that day. */
export function costOfCall(model: string, usage: Usage, at: Date = new Date(), own?: OwnPrices): CallCost {
  if (usage.nanoDollars !== undefined) return { from: "service", nanoDollars: usage.nanoDollars };
  const price = priceOf(model, at, own);
  if (price === undefined) return { from: "nowhere", reason: `No price is known for ${model}` };
  return { from: "price table", nanoDollars: costAt(price, usage), price };
}

/** Exact until the last step, then rounded half up to a billionth of a dollar. */
function costAt(price: Price | Rates, usage: Usage): number {
  const above = "above" in price ? price.above : undefined;
  const rates = above && usage.inputTokens > above.inputTokens ? above : price;
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  const long = Math.min(usage.longCacheWriteTokens, written);
  const parts: readonly [tokens: number, dollarsPerMillion: number][] = [
    [usage.inputTokens - cached - written, rates.input],
    [cached, rates.cachedInput ?? rates.input],
    [written - long, rates.cacheWrite ?? rates.input],
    [long, rates.longCacheWrite ?? rates.cacheWrite ?? rates.input],
    [usage.outputTokens, rates.output],
  ];
  const pico = parts.reduce((sum, [tokens, rate]) => sum + BigInt(tokens) * picoDollarsPerToken(rate), 0n);
  return Number((pico + 500n) / 1000n);
}

/** Dollars per million tokens are millionths of a dollar per token: with at most six decimals, whole picodollars. */
function picoDollarsPerToken(dollarsPerMillion: Rates["input"]): bigint {
  return BigInt(Math.round(dollarsPerMillion * 1e6));
}
