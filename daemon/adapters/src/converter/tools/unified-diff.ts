import { structuredPatch } from "diff";
import { z } from "zod";
import { shownPath } from "./shown-path.ts";

/** The file a diff is about, named as `shownPath` names it. */
export interface ChangedFile {
  path: string;
  /** What it was called before, if it was moved. */
  from?: string | undefined;
  /** Only where that is known: `/dev/null` stands for the file that was not there, or is no more. */
  is?: "new" | "gone" | undefined;
}

/**
 * An agent's own diff of one file, with headers or without, as the one form that all diffs here have: unified, headers
 * with `a/` and `b/`, lines counted. Undefined where it holds no change.
 */
export function unifiedDiff(file: ChangedFile, native: string): string | undefined {
  return writeDiff(
    file,
    readFiles(native).flatMap(({ hunks }) => hunks),
  );
}

/** The same for a text that may be about several files and names them itself. */
export function unifiedDiffs(native: string, directory: string | undefined): string | undefined {
  const diffs = readFiles(native).flatMap(({ from, to, hunks }) => {
    const before = from === undefined || from === nowhere ? undefined : shownPath(from, directory);
    const after = to === undefined || to === nowhere ? undefined : shownPath(to, directory);
    const path = after ?? before;
    if (path === undefined) return [];
    const is = before === undefined ? "new" : after === undefined ? "gone" : undefined;
    return writeDiff({ path, from: before, is }, hunks) ?? [];
  });
  return diffs.length === 0 ? undefined : diffs.join("");
}

/** Where an agent gives no diff: made of a file before and after. */
export function diffOfTexts(file: ChangedFile, before: string, after: string): string | undefined {
  const options = { context: 3, maxEditLength: 2_000 };
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, options);
  return writeDiff(file, patch?.hunks.map(countedByLines) ?? [everythingChanged(before, after)]);
}

/** One piece of a file taken out and another put in; where in the file that is, is not known, so it stands at line 1. */
export function diffOfPieces(file: ChangedFile, before: string, after: string): string | undefined {
  const whole = (piece: string) => (piece === "" || piece.endsWith("\n") ? piece : `${piece}\n`);
  return diffOfTexts(file, whole(before), whole(after));
}

const Hunk = z.object({ oldStart: z.int(), newStart: z.int(), lines: z.array(z.string()) });
type Hunk = z.infer<typeof Hunk>;

/** Hunks as values; undefined where they are none. */
export function diffOfHunks(file: ChangedFile, hunks: unknown): string | undefined {
  const read = z.array(Hunk).safeParse(hunks);
  return read.success ? writeDiff(file, read.data.map(countedByLines)) : undefined;
}

/** As values hunks tell the line they stand at; written down, one that has no lines tells the line before it. */
function countedByLines({ oldStart, newStart, lines }: Hunk): Hunk {
  const has = (sign: string) => lines.some((line) => line.startsWith(" ") || line.startsWith(sign));
  const at = (sign: string, start: number) => (has(sign) ? start : Math.max(0, start - 1));
  return { oldStart: at("-", oldStart), newStart: at("+", newStart), lines };
}

function writeDiff({ path, from = path, is }: ChangedFile, hunks: readonly Hunk[]): string | undefined {
  if (hunks.length === 0) return undefined;
  const head = [
    `--- ${is === "new" ? nowhere : quoted(`a/${from}`)}`,
    `+++ ${is === "gone" ? nowhere : quoted(`b/${path}`)}`,
  ];
  return `${[...head, ...hunks.flatMap((hunk) => writeHunk(is === "new" ? { ...hunk, oldStart: 0 } : hunk))].join("\n")}\n`;
}

const nowhere = "/dev/null";

/** As git does, so that a name cannot be taken for more than a name. */
function quoted(name: string): string {
  return /["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name;
}

/** The counts are those of the lines that are there: what an agent says of them may be of other lines. */
function writeHunk({ oldStart, newStart, lines }: Hunk): string[] {
  const count = (sign: string) => lines.filter((line) => line.startsWith(" ") || line.startsWith(sign)).length;
  const [removed, added] = [count("-"), count("+")];
  return [`@@ -${oldStart},${removed} +${newStart},${added} @@`, ...lines];
}

interface NativeFile {
  from?: string;
  to?: string;
  hunks: Hunk[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function readFiles(native: string): NativeFile[] {
  const lines = linesOf(native);
  const files: NativeFile[] = [];
  let file: NativeFile = { hunks: [] };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const head = hunkHead.exec(line);
    if (head !== null) {
      const hunk = readHunk(head, lines, at + 1);
      at += hunk.lines.length;
      if (!hunk.lines.some((taken) => /^[-+]/.test(taken))) continue;
      if (file.hunks.length === 0) files.push(file);
      file.hunks.push(hunk);
    } else if (line.startsWith("--- ")) {
      file = { from: nameIn(line), hunks: [] };
    } else if (line.startsWith("+++ ")) {
      file.to = nameIn(line);
    }
  }
  return files;
}

/** Lines are taken as long as the head counts on them: a removed line of dashes is no header. */
function readHunk(head: RegExpExecArray, lines: readonly string[], from: number): Hunk {
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] = head;
  let removed = Number(oldLines);
  let added = Number(newLines);
  const taken: string[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] as string;
    const sign = line === "" ? " " : line[0];
    if (sign !== "\\" && removed <= 0 && added <= 0) break;
    if (sign === " " || sign === "-") removed--;
    if (sign === " " || sign === "+") added--;
    if (sign !== " " && sign !== "-" && sign !== "+" && sign !== "\\") break;
    // An empty line of context that has lost its blank.
    taken.push(line === "" ? " " : line);
  }
  while (taken.at(-1) === " " && (removed < 0 || added < 0)) {
    taken.pop();
    removed++;
    added++;
  }
  return { oldStart: Number(oldStart), newStart: Number(newStart), lines: taken };
}

/** A name in a header: without what follows a tab, without the prefix of git. */
function nameIn(header: string): string {
  const name = header.slice(4).split("\t")[0] as string;
  return name.replace(/^"(.*)"$/, "$1").replace(/^[ab]\//, "");
}

function everythingChanged(before: string, after: string): Hunk {
  const mark = (text: string, sign: string) => [
    ...linesOf(text).map((line) => `${sign}${line}`),
    ...(text === "" || text.endsWith("\n") ? [] : ["\\ No newline at end of file"]),
  ];
  const lines = [...mark(before, "-"), ...mark(after, "+")];
  return { oldStart: before === "" ? 0 : 1, newStart: after === "" ? 0 : 1, lines };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
