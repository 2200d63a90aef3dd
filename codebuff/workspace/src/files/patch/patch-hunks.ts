import { indentOf, learnIndents } from "../text/indentation.ts";
import { dominantEnding, type LineEnding, splitLines } from "../text/line-endings.ts";
import { nearestText } from "../text/nearest-text.ts";
import type { Hunk, PatchLine } from "./patch-hunk-lines.ts";

/** Applies the hunks in order. Throws a plain Error when a hunk has no place, or more than one. */
export function applyHunks(text: string, hunks: readonly Hunk[]): string {
  const lines = splitLines(text).map((line) => ({
    text: line.replace(/\r?\n$/, ""),
    ending: /\r?\n$/.exec(line)?.[0] ?? "",
  }));
  const usual = dominantEnding(text);
  const result: FileLine[] = [];
  // Lines without any place of their own go to the end, whatever comes after them in the patch.
  const appended = hunks.filter(isAppended);
  let cursor = 0;
  hunks.forEach((hunk, index) => {
    if (isAppended(hunk)) return;
    const place = findPlace(lines, hunk, cursor, `Hunk ${index + 1}`, text);
    result.push(...lines.slice(cursor, place.start));
    result.push(...rewrite(lines, hunk, place, usual));
    cursor = place.start + place.length;
  });
  result.push(...lines.slice(cursor));
  for (const hunk of appended) result.push(...hunk.lines.map((line) => ({ text: line.text, ending: usual })));
  const last = result.at(-1);
  // The lines of a patch are whole lines: where one becomes the last of the file it ends like a line.
  const isFresh = last !== undefined && !lines.includes(last);
  return joinLines(result, usual, wantedFinalNewline(text, hunks) ?? (isFresh || text.endsWith("\n")));
}

interface FileLine {
  readonly text: string;
  readonly ending: string;
}

interface Place {
  readonly start: number;
  readonly length: number;
  readonly by: "exact" | "trailing" | "indentation" | "typography";
}

const comparisons = [
  ["exact", (line: string) => line],
  ["trailing", (line: string) => line.trimEnd()],
  ["indentation", (line: string) => line.trim()],
  ["typography", (line: string) => plainTypography(line).trim()],
] as const;

/** Quotes, dashes and blanks as a keyboard writes them. */
function plainTypography(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ")
    .replaceAll("\u2026", "...");
}

function findPlace(lines: readonly FileLine[], hunk: Hunk, cursor: number, name: string, text: string): Place {
  const old = hunk.lines.filter((line) => line.kind !== "add").map((line) => line.text);
  const range = anchorRange(lines, hunk, cursor, name);
  if (old.length === 0) return { start: insertionPoint(lines, hunk, range, name), length: 0, by: "exact" };
  for (const [by, form] of comparisons) {
    const starts = matches(lines, old, range, form).filter(
      (start) => !hunk.atEnd || start + old.length === lines.length,
    );
    if (starts.length === 0) continue;
    // A unified diff numbers its lines: at that very line there is no doubt, elsewhere the place must be the only one.
    const stated =
      hunk.startLine === undefined ? undefined : starts.find((start) => start === (hunk.startLine ?? 0) - 1);
    const start = by === "exact" && stated !== undefined ? stated : starts[0];
    if (start === undefined) continue;
    if (starts.length > 1 && start !== stated) {
      const at = starts.slice(0, 10).map((one) => one + 1);
      throw new Error(
        `${name} fits in ${starts.length} places (lines ${at.join(", ")}); add context lines or an @@ line`,
      );
    }
    return { start, length: old.length, by };
  }
  const nearest = nearestText(text, old.join("\n"));
  throw new Error(`${name} was not found.${nearest === undefined ? "" : ` The nearest text is:\n${nearest}`}`);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** An anchor names a line; the hunk lies in the block that line opens. */
function anchorRange(lines: readonly FileLine[], hunk: Hunk, cursor: number, name: string): Range {
  let range: Range = { from: cursor, to: lines.length };
  for (const [index, anchor] of hunk.anchors.entries()) {
    const all = anchorLines(lines, anchor, range);
    const isInnermost = index === hunk.anchors.length - 1;
    const found = all.length > 1 && isInnermost ? all.filter((at) => holds(lines, hunk, at, range)) : all;
    if (found.length !== 1) {
      throw new Error(
        `${name}: the line "@@ ${anchor}" ${all.length === 0 ? "was not found" : `occurs ${all.length} times`}`,
      );
    }
    const at = found[0] ?? range.from;
    range = { from: at, to: blockEnd(lines, at, range.to) };
  }
  return range;
}

function anchorLines(lines: readonly FileLine[], anchor: string, range: Range): number[] {
  for (const same of [(line: string) => line === anchor, (line: string) => line.trim() === anchor.trim()]) {
    const found: number[] = [];
    for (let at = range.from; at < range.to; at += 1) if (same(lines[at]?.text ?? "")) found.push(at);
    if (found.length > 0) return found;
  }
  return [];
}

/** An anchor that occurs more than once still names one place when only one of its blocks has the lines. */
function holds(lines: readonly FileLine[], hunk: Hunk, anchor: number, range: Range): boolean {
  const old = hunk.lines.filter((line) => line.kind !== "add").map((line) => line.text);
  const block = { from: anchor, to: blockEnd(lines, anchor, range.to) };
  return old.length > 0 && comparisons.some(([, form]) => matches(lines, old, block, form).length > 0);
}

/** A block ends before the next line that is not deeper than its head; a closing bracket still belongs to it. */
function blockEnd(lines: readonly FileLine[], head: number, limit: number): number {
  const depth = indentOf(lines[head]?.text ?? "").length;
  const below = lines.slice(head + 1, limit).find((line) => line.text.trim() !== "")?.text;
  if (below !== undefined && indentOf(below).length <= depth && !/^\s*[{([]\s*$/.test(below))
    return sectionEnd(lines, head, limit);
  for (let at = head + 1; at < limit; at += 1) {
    const text = lines[at]?.text ?? "";
    if (text.trim() === "" || indentOf(text).length > depth) continue;
    if (!/^[\s)\]}]/.test(text.trimStart()) && !/^[{]/.test(text.trimStart())) return at;
  }
  return limit;
}

/** In a file without indentation a heading (`[b]`, `# Two`) holds until the next of its kind, another line to the end. */
function sectionEnd(lines: readonly FileLine[], head: number, limit: number): number {
  const mark = /^\s*([^\w\s]+)/.exec(lines[head]?.text ?? "")?.[1];
  if (mark === undefined) return limit;
  for (let at = head + 1; at < limit; at += 1) {
    const other = /^\s*([^\w\s]+)/.exec(lines[at]?.text ?? "")?.[1];
    if (other !== undefined && other[0] === mark[0] && other.length <= mark.length) return at;
  }
  return limit;
}

function matches(
  lines: readonly FileLine[],
  old: readonly string[],
  range: Range,
  form: (line: string) => string,
): number[] {
  const wanted = old.map(form);
  const starts: number[] = [];
  for (let at = range.from; at + wanted.length <= range.to; at += 1) {
    if (wanted.every((line, index) => form(lines[at + index]?.text ?? "") === line)) starts.push(at);
  }
  return starts;
}

function isAppended(hunk: Hunk): boolean {
  return hunk.lines.every((line) => line.kind === "add") && hunk.anchors.length === 0 && hunk.startLine === undefined;
}

/** Lines without any context: after an anchor, after the line a unified diff without context names, or at the end. */
function insertionPoint(lines: readonly FileLine[], hunk: Hunk, range: Range, name: string): number {
  if (hunk.atEnd || lines.length === 0) return lines.length;
  if (hunk.anchors.length > 0) return range.from + 1;
  const after = hunk.startLine ?? lines.length;
  if (after < range.from || after > lines.length)
    throw new Error(`${name} adds lines after line ${after}, which the file does not have there`);
  return after;
}

function rewrite(lines: readonly FileLine[], hunk: Hunk, place: Place, usual: LineEnding): FileLine[] {
  const adapt =
    place.by === "indentation" || place.by === "typography"
      ? indentAdapter(lines, hunk, place)
      : (text: string) => text;
  const result: FileLine[] = [];
  let at = place.start;
  let ending: string = lines[at]?.ending || usual;
  for (const line of hunk.lines) {
    if (line.kind === "add") result.push({ text: adapt(line.text), ending });
    else {
      const here = lines[at];
      at += 1;
      if (here === undefined) continue;
      ending = here.ending || ending;
      if (line.kind === "keep") result.push(here);
    }
  }
  return result;
}

/** The hunk was written with another indentation: its new lines are moved like its old ones. */
function indentAdapter(lines: readonly FileLine[], hunk: Hunk, place: Place): (text: string) => string {
  const old = hunk.lines.filter((line: PatchLine) => line.kind !== "add");
  const pairs = old.flatMap((line, index) => {
    const file = lines[place.start + index]?.text ?? "";
    return line.text.trim() === "" ? [] : [{ from: indentOf(line.text), to: indentOf(file) }];
  });
  const map = learnIndents(pairs);
  return (text) => {
    if (text.trim() === "") return text;
    const indent = map?.translate(indentOf(text));
    if (indent === undefined)
      throw new Error("The indentation of the hunk is not that of the file and cannot be translated surely");
    return indent + text.slice(indentOf(text).length);
  };
}

/** What the patch itself says about it: a unified diff marks a missing newline, and says nothing where there is one. */
function wantedFinalNewline(text: string, hunks: readonly Hunk[]): boolean | undefined {
  const stated = hunks.findLast((hunk) => hunk.finalNewline !== undefined)?.finalNewline;
  return stated ?? (text === "" ? true : undefined);
}

/** A line that was the last one may be in the middle now, and the other way round. */
function joinLines(lines: readonly FileLine[], usual: LineEnding, finalNewline: boolean): string {
  return lines
    .map((line, index) => {
      const isLast = index === lines.length - 1;
      if (isLast && !finalNewline) return line.text;
      return line.text + (line.ending || usual);
    })
    .join("");
}
