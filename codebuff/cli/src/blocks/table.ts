import type { Token, Tokens } from "marked";
import { visibleWidth, wrapTextWithAnsi } from "../pi-tui.ts";
import type { BlockContext } from "./block-context.ts";

const gap = "  ";

/** Columns as wide as they need to be; where the screen is too narrow the widest give way and their cells are wrapped. */
export function tableLines(
  { header, rows, align }: Tokens.Table,
  textOf: (tokens: readonly Token[]) => string,
  { width, theme }: BlockContext,
): string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => textOf(tokens)));
  const widths = fitWidths(
    header.map((_, at) => Math.max(1, ...cells.map((row) => visibleWidth(row[at] ?? "")))),
    width - gap.length * (header.length - 1),
  );
  const [head = [], ...body] = cells.map((row) => rowLines(row, widths, align));
  const rule = widths.map((one) => "─".repeat(one)).join(gap);
  return [...head.map(theme.strong), theme.dim(rule), ...body.flat()];
}

/** Takes from the widest column until all fit. */
function fitWidths(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 3) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function rowLines(row: readonly string[], widths: readonly number[], align: Tokens.Table["align"]): string[] {
  const wrapped = row.map((cell, at) => wrapTextWithAnsi(cell, widths[at] ?? 1));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, at) => pad(lines[line] ?? "", widths[at] ?? 1, align[at]))
      .join(gap)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: "center" | "left" | "right" | null | undefined): string {
  const room = Math.max(0, width - visibleWidth(text));
  if (align === "right") return " ".repeat(room) + text;
  const left = align === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
