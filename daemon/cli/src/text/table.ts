import { cutStartToWidth, cutToWidth, displayWidth } from "@muster/core";
import { printable } from "./printable.ts";

/** One column: what stands above it, what it shows of a row, and where it gives way when the terminal is narrow. */
export interface Column<Row> {
  readonly title: string;
  cell(row: Row): unknown;
  /** The end that is cut off; a column without one keeps its width. */
  readonly gives?: "end" | "start";
}

/** Rows under their column names, as wide as their content, or as the terminal; a row is always one line. */
export function table<Row extends object>(
  columns: readonly (string | Column<Row>)[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): string {
  const all = columns.map((column) => (typeof column === "string" ? fieldColumn<Row>(column) : column));
  const cells = rows.map((row) => all.map(({ cell, gives }) => cutBy(gives)(textOf(cell(row)), longestCell)));
  const wanted = all.map(({ title }, at) =>
    Math.max(...[title, ...cells.map((row) => row[at] ?? "")].map(displayWidth)),
  );
  const widths = fitWidths(wanted, all, width - gap.length * (all.length - 1));
  const line = (row: readonly string[]) =>
    `${row
      .map((text, at) => padded(cutBy(all[at]?.gives)(text, widths[at] ?? 0), widths[at] ?? 0))
      .join(gap)
      .trimEnd()}\n`;
  return [all.map(({ title }) => title), ...cells].map(line).join("");
}

const gap = "  ";
const longestCell = 60;
const narrowest = 6;

function fieldColumn<Row>(name: string): Column<Row> {
  return { title: name, cell: (row) => (row as Record<string, unknown>)[name], gives: "end" };
}

/** The widest of those that give way gives first, so that short ones stay whole. */
function fitWidths<Row>(wanted: readonly number[], columns: readonly Column<Row>[], room: number): number[] {
  const widths = [...wanted];
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const giving = widths.map((width, at) => (columns[at]?.gives === undefined ? 0 : width));
    const widest = Math.max(...giving);
    if (widest <= narrowest) break;
    widths[giving.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function cutBy(gives: "end" | "start" = "end"): (text: string, columns: number) => string {
  return gives === "start" ? cutStartToWidth : cutToWidth;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (value === true) return "yes";
  if (value === false) return "no";
  return printable(typeof value === "object" ? listOf(value) : String(value)).replace(/\s+/g, " ");
}

function listOf(value: object): string {
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value);
}
