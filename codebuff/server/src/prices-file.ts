import { readFileSync } from "node:fs";
import { modelKey, type OwnPrices } from "@muster/metering";
import { z } from "zod";

/** Dollars per million tokens; more decimals than a picodollar has would be cut off. */
const rate = z.number().min(0).max(1_000_000).multipleOf(0.000001);

const PricesFile = z.record(
  z.string().min(1),
  z.strictObject({
    input: rate,
    output: rate,
    cachedInput: rate.optional(),
    cacheWrite: rate.optional(),
    longCacheWrite: rate.optional(),
  }),
);

/** The prices an operator has: `{"vendor/model": {"input": 3, "output": 15}}`. Throws a text for people. */
export function readPrices(path: string): OwnPrices {
  const read = PricesFile.safeParse(parse(path));
  if (!read.success) throw new TypeError(`PRICES_FILE ${path} is not valid:\n${z.prettifyError(read.error)}`);
  const entries = Object.entries(read.data).map(([model, rates]) => [modelKey(model), rates] as const);
  const prices = new Map(entries);
  if (prices.size < entries.length) throw new TypeError(`PRICES_FILE ${path} has two prices for the same model`);
  return Object.fromEntries(prices);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new TypeError(`PRICES_FILE ${path} cannot be read: ${(error as Error).message}`);
  }
}
