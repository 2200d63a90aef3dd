import { printable } from "./printable.ts";

/** Columns as wide as their widest cell; the last one is left as long as it is. */
export function formatRows(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
