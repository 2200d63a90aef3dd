import { printable } from "../text/printable.ts";

/** How much of an output is shown below its line. A failure says why at its beginning as often as at its end. */
const passed = { head: 0, tail: 3 };
const failed = { head: 8, tail: 6 };

/** The output of a command that has ended, folded: a mark says how many lines are missing and where. */
export function outputLines(output: string, hasFailed: boolean, dim: (text: string) => string): string[] {
  const all = lastLines(output, Number.POSITIVE_INFINITY);
  const { head, tail } = hasFailed ? failed : passed;
  const hidden = all.length - head - tail;
  // A mark in place of a single line would save nothing.
  if (hidden <= 1) return all.map(dim);
  const mark = `… ${hidden} lines ${head === 0 ? "before" : "between"}, ctrl+t shows all`;
  return [...all.slice(0, head), mark, ...all.slice(-tail)].map(dim);
}

export function lastLines(text: string, count: number): string[] {
  const lines = printable(text).trimEnd().split("\n");
  return lines.length === 1 && lines[0] === "" ? [] : lines.slice(-count);
}

/** The last of an output, below a mark that counts what stands before. */
export function markedTail(text: string, count: number): string[] {
  const all = lastLines(text, Number.POSITIVE_INFINITY);
  return all.length <= count ? all : [`… ${all.length - count} lines before, ctrl+t shows all`, ...all.slice(-count)];
}
