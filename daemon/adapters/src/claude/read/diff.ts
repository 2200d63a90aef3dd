import { z } from "zod";

const Hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});

/** A unified diff of the hunks Claude reports with an edit. */
export function hunksDiff(structuredPatch: unknown): string | undefined {
  const hunks = z.array(Hunk).safeParse(structuredPatch);
  if (!hunks.success || hunks.data.length === 0) return undefined;
  return hunks.data
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n"),
    )
    .join("\n");
}

/** One text taken out and another put in; where in the file that is, is not known. */
export function lineDiff(before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const at = (lines: readonly string[]) => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  const head = `@@ -${at(removed)} +${at(added)} @@`;
  return [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n");
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
