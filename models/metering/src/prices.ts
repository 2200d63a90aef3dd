import { type Price, priceTable } from "./price-table.ts";

/** The price of a model at a moment; undefined when the table has none, which is not the same as free. */
export function priceOf(model: string, at: Date = new Date()): Price | undefined {
  const day = at.toISOString().slice(0, 10);
  return entriesOf(model).findLast(({ from }) => from <= day);
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

function entriesOf(model: string) {
  const key = modelKey(model);
  return Object.hasOwn(priceTable, key) ? (priceTable[key] ?? []) : [];
}
