import type { Paint } from "@muster/core";
import { printable } from "./printable.ts";

const mostLines = 60;

/** A unified diff as indented lines, what is new in green and what is gone in red; a long one is cut. */
export function diffLines(diff: string, paint: Paint): string {
  const lines = printable(diff).trimEnd().split("\n");
  const shown = lines.slice(0, mostLines).map((line) => `    ${paintLine(line, paint)}\n`);
  const rest = lines.length - shown.length;
  return shown.join("") + (rest > 0 ? `    ${paint.dim(`… ${rest} more lines`)}\n` : "");
}

/** What a diff changes, however much stands around it: by this the same change is known again. */
export function changedLines(diff: string): string {
  return diff
    .split("\n")
    .filter((line) => /^[+-]/.test(line) && !/^(\+\+\+|---)/.test(line))
    .join("\n");
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith("+++") || line.startsWith("---")) return paint.dim(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
