import { structuredPatch } from "diff";
import { splitLines } from "./line-endings.ts";

/** Hunks without file headers, three lines of context. */
export function unifiedDiff(before: string, after: string): string {
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, { context: 3, timeout: 1000 });
  if (patch === undefined) return coarseDiff(before, after);
  return patch.hunks
    .map((hunk) => {
      const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
      return head + hunk.lines.map((line) => `${line.replace(/\r$/, "")}\n`).join("");
    })
    .join("");
}

/** The change of one file with the headers that `git apply` and people know. Left out texts: there is no such file. */
export function fileDiff(change: { file: string; to?: string; before?: string; after?: string }): string {
  const { file, to = file, before, after } = change;
  const head = [`diff --git a/${file} b/${to}`];
  if (before === undefined && after !== undefined) head.push("new file mode 100644");
  if (before !== undefined && after === undefined) head.push("deleted file mode 100644");
  if (to !== file) head.push(`rename from ${file}`, `rename to ${to}`);
  const hunks = unifiedDiff(before ?? "", after ?? "");
  if (hunks !== "") {
    head.push(
      before === undefined ? "--- /dev/null" : `--- a/${file}`,
      after === undefined ? "+++ /dev/null" : `+++ b/${to}`,
    );
  }
  return `${head.join("\n")}\n${hunks}`;
}

/** For texts too different to compare line by line in time: everything between the common ends is one hunk. */
function coarseDiff(before: string, after: string): string {
  const old = splitLines(before);
  const fresh = splitLines(after);
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const mark = (sign: string) => (line: string) => `${sign}${line.replace(/\r?\n$/, "")}\n`;
  return `@@ -${range(head + 1, removed.length)} +${range(head + 1, added.length)} @@\n${removed.map(mark("-")).join("")}${added.map(mark("+")).join("")}`;
}

/** No lines at all stand behind the line before them, as git and diff write it: a new file is `-0,0`. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
