import { diffWordsWithSpace } from "diff";
import { printable } from "../text/printable.ts";
import type { BlockContext } from "./block-context.ts";

/** A unified diff: each line whole with its number, and in lines that were changed the words that differ. */
export function diffLines(patch: string, { theme, links }: Pick<BlockContext, "theme" | "links">): string[] {
  const lines = printable(patch).trimEnd().split("\n");
  const numbers = lineNumbers(lines);
  const width = Math.max(0, ...numbers.map((number) => String(number ?? "").length));
  const shown: string[] = [];
  const push = (at: number, ...styled: readonly string[]) => {
    for (const [offset, line] of styled.entries()) {
      const number = String(numbers[at + offset] ?? "").padStart(width);
      shown.push(width === 0 ? line : `${theme.dim(number)} ${line}`);
    }
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (/^(?:--- |\+\+\+ |diff |index |(?:new|deleted|old) (?:file )?mode |similarity index )/.test(line)) {
      if (line.startsWith("+++ ")) {
        const name = line.slice(4).replace(/^b\//, "").split("\t")[0] ?? "";
        const [, path = "", rest = ""] = /^(.*?)( \((?:new|deleted)\))?$/.exec(name) ?? [];
        const isFile = !path.includes(" → ") && path !== "/dev/null";
        shown.push(theme.strong(`${(isFile ? links?.file(path, path) : undefined) ?? path}${rest}`));
      }
      at++;
    } else if (line.startsWith("@@")) {
      shown.push(theme.accent(line));
      at++;
    } else if (line.startsWith("-")) {
      const removed = takeWhile(lines, at, "-");
      const added = takeWhile(lines, at + removed.length, "+");
      push(at, ...changedLines(removed, added, theme));
      at += removed.length + added.length;
    } else {
      push(at, line.startsWith("+") ? theme.added(line) : line);
      at++;
    }
  }
  return shown;
}

/** Of each line its number in the file: in the old one where it was removed, else in the new one. */
function lineNumbers(lines: readonly string[]): (number | undefined)[] {
  let old: number | undefined;
  let fresh: number | undefined;
  return lines.map((line) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null || line.startsWith("@@") || /^(?:diff |--- |\+\+\+ )/.test(line)) {
      [old, fresh] = hunk === null ? [] : [Number(hunk[1]), Number(hunk[2])];
      return undefined;
    }
    if (old === undefined || fresh === undefined || line.startsWith("\\")) return undefined;
    if (line.startsWith("-")) return old++;
    if (!line.startsWith("+")) old++;
    return fresh++;
  });
}

function takeWhile(lines: readonly string[], from: number, mark: "+" | "-"): string[] {
  const taken: string[] = [];
  const isHeader = (line: string) => line.startsWith("--- ") || line.startsWith("+++ ");
  for (let at = from; lines[at]?.startsWith(mark) && !isHeader(lines[at] ?? ""); at++) taken.push(lines[at] ?? "");
  return taken;
}

/** As many lines out as in: they are compared one by one, word for word. */
function changedLines(removed: readonly string[], added: readonly string[], theme: BlockContext["theme"]): string[] {
  if (removed.length !== added.length) return [...removed.map(theme.removed), ...added.map(theme.added)];
  const pairs = removed.map((line, at) => changedWords(line.slice(1), (added[at] ?? "").slice(1), theme));
  return [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)];
}

function changedWords(before: string, after: string, theme: BlockContext["theme"]): [string, string] {
  const parts = diffWordsWithSpace(before, after);
  const kept = parts
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.length, 0);
  // Two lines with little in common are two lines, not one that was changed.
  if (kept * 3 < Math.max(before.length, after.length)) return [theme.removed(`-${before}`), theme.added(`+${after}`)];
  const old = parts.filter(({ added }) => !added);
  const fresh = parts.filter(({ removed }) => !removed);
  return [
    theme.removed("-") + old.map(({ value, removed }) => (removed ? theme.removedWord : theme.removed)(value)).join(""),
    theme.added("+") + fresh.map(({ value, added }) => (added ? theme.addedWord : theme.added)(value)).join(""),
  ];
}
