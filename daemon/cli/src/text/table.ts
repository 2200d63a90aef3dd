import { printable } from "./printable.ts";

/** Rows under their column names, as wide as their content; cells are cut so that a row stays a line. */
export function table(columns: readonly string[], rows: readonly object[]): string {
  const cells = rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column])));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `${row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  return [columns, ...cells].map(line).join("");
}

const longestCell = 60;

function cell(value: unknown): string {
  if (value === undefined || value === null) return "-";
  if (value === true) return "yes";
  if (value === false) return "no";
  const text = printable(typeof value === "object" ? listOf(value) : String(value)).replace(/\s+/g, " ");
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}

function listOf(value: object): string {
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value);
}
