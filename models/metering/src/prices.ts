import { type Price, priceTable, type Rates } from "./price-table.ts";

/** Prices of somebody's own, by `modelKey`. They go before the table. */
export type OwnPrices = Readonly<Record<string, Rates>>;

/** The price of a model at a moment; undefined when nobody has one, which is not the same as free. */
export function priceOf(model: string, at: Date = new Date(), own: OwnPrices = {}): Price | Rates | undefined {
  const key = modelKey(model);
  if (Object.hasOwn(own, key)) return own[key];
  const day = at.toISOString().slice(0, 10);
  return entriesOf(key).findLast(({ from }) => from <= day);
}

/** The model of the table whose output is dearest that day: what a model without a price may cost, as far as anybody knows. */
export function dearestModel(at: Date = new Date()): string {
  const outputOf = (model: string) => priceOf(model, at)?.output ?? 0;
  return Object.keys(priceTable).reduce((one, other) => (outputOf(other) > outputOf(one) ? other : one));
}

/**
 * The name under which a model stands in the table: without vendor (`anthropic/`), release date (`-20250929`) and router
 * marks (`:nitro`), with `-` for `.`. A `:free` model keeps its mark: its price is another one.
 */
export function modelKey(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return name
    .replace(/:(?!free$)[\w-]+$/, "")
    .replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")
    .replaceAll(".", "-");
}

function entriesOf(key: string) {
  return Object.hasOwn(priceTable, key) ? (priceTable[key] ?? []) : [];
}
