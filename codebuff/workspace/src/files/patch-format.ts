export interface PatchLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

export interface Hunk {
  /** Lines named after `@@`, from the outermost to the innermost. */
  readonly anchors: readonly string[];
  /** The line a unified diff says the hunk starts at, counted from 1. */
  readonly startLine: number | undefined;
  readonly lines: readonly PatchLine[];
  /** The hunk ends where the file ends. */
  readonly atEnd: boolean;
  /** What a unified diff says about the newline at the end of the new file. */
  readonly finalNewline: boolean | undefined;
}

export type FilePatch =
  | { readonly type: "create"; readonly path: string; readonly content: string }
  | { readonly type: "update"; readonly path: string; readonly newPath?: string; readonly hunks: readonly Hunk[] }
  | { readonly type: "delete"; readonly path: string };

const unifiedHead = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** The text inside a code fence when the whole text is one. */
export function stripFence(text: string): string {
  const fenced = /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text);
  return fenced?.[1] === undefined ? text : `${fenced[1]}\n`;
}

/** Hunks of one file, in either notation. Throws a plain Error that names the line it cannot read. */
export function parseHunks(diff: string): Hunk[] {
  return readHunks(withoutFileHeader(linesOf(stripFence(diff))));
}

/** The content of a new file: every line marked with +, or no line marked at all. */
export function parseNewContent(diff: string): string {
  const lines = withoutFileHeader(linesOf(stripFence(diff)));
  if (lines[0]?.startsWith("@@")) lines.shift();
  if (/^\*\*\* End (?:of File|Patch)\s*$/.test(lines.at(-1) ?? "")) lines.pop();
  const noNewline = lines.at(-1)?.startsWith("\\") ?? false;
  const body = noNewline ? lines.slice(0, -1) : lines;
  const marked = body.filter((line) => line.startsWith("+"));
  if (marked.length === 0) return body.length === 0 ? "" : `${body.join("\n")}\n`;
  const stray = body.find((line) => line !== "" && !line.startsWith("+"));
  if (stray !== undefined)
    throw new Error(`A new file's diff has only lines that start with +, but there is: ${stray}`);
  return body.map((line) => line.slice(1)).join("\n") + (noNewline ? "" : "\n");
}

/** A patch over several files. */
export function parsePatch(patch: string): FilePatch[] {
  const lines = linesOf(stripFence(patch));
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const files = begin >= 0 ? parseEnvelope(lines.slice(begin + 1)) : parseGitDiff(lines);
  if (files.length === 0) throw new Error("The patch names no file");
  return files;
}

function parseEnvelope(lines: readonly string[]): FilePatch[] {
  const end = lines.findIndex((line) => line.trim() === "*** End Patch");
  const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
  const sections = sectionsOf(end >= 0 ? lines.slice(0, end) : lines, (line) => heading.test(line));
  return sections.map(({ start, body }) => {
    const [, verb, name] = heading.exec(start) ?? [];
    const path = (name ?? "").trim();
    if (verb === "Delete") return { type: "delete", path };
    if (verb === "Add") return { type: "create", path, content: parseNewContent(body.join("\n")) };
    const move = /^\*\*\* Move to: (.+)$/.exec(body[0] ?? "")?.[1]?.trim();
    const hunks = readHunks(move === undefined ? body : body.slice(1));
    return move === undefined ? { type: "update", path, hunks } : { type: "update", path, newPath: move, hunks };
  });
}

function parseGitDiff(lines: readonly string[]): FilePatch[] {
  const git = lines.some((line) => line.startsWith("diff --git "));
  // Without git's line a part starts at its two names; a removed line may look like the first of them.
  const starts = (line: string, next: string) =>
    git ? line.startsWith("diff --git ") : line.startsWith("--- ") && next.startsWith("+++ ");
  return sectionsOf(lines, starts).map(({ start, body }) => {
    const all = [start, ...body];
    if (all.some((line) => line.startsWith("GIT binary patch") || line.startsWith("Binary files "))) {
      throw new Error("A binary patch cannot be applied");
    }
    const header = all.slice(0, untilHunk(all));
    const value = (word: string) => header.find((line) => line.startsWith(word))?.slice(word.length);
    const from = value("rename from ") ?? pathOf(value("--- "));
    const to = value("rename to ") ?? pathOf(value("+++ "));
    const content = all.slice(header.length);
    if (from === undefined && to !== undefined) {
      return { type: "create", path: to, content: parseNewContent(content.join("\n")) };
    }
    if (from === undefined) throw new Error(`The patch has a part without a file name: ${start}`);
    if (to === undefined || value("deleted file mode") !== undefined) return { type: "delete", path: from };
    const hunks = content.length === 0 ? [] : readHunks(content);
    return from === to ? { type: "update", path: from, hunks } : { type: "update", path: from, newPath: to, hunks };
  });
}

function untilHunk(lines: readonly string[]): number {
  const at = lines.findIndex((line) => line.startsWith("@@"));
  return at < 0 ? lines.length : at;
}

/** A name of a `---` or `+++` line; /dev/null is no file. */
function pathOf(value: string | undefined): string | undefined {
  const name = value?.split("\t")[0]?.trim();
  if (name === undefined || name === "/dev/null") return undefined;
  return name.replace(/^"(.*)"$/, "$1").replace(/^[ab]\//, "");
}

interface Section {
  readonly start: string;
  readonly body: string[];
}

/** What stands before the first start belongs to nobody. */
function sectionsOf(lines: readonly string[], starts: (line: string, next: string) => boolean): Section[] {
  const sections: Section[] = [];
  lines.forEach((line, index) => {
    if (starts(line, lines[index + 1] ?? "")) sections.push({ start: line, body: [] });
    else sections.at(-1)?.body.push(line);
  });
  return sections;
}

const headerLine =
  /^(?:diff --git |index |new file mode |old mode |new mode |similarity index |\*\*\* (?:Begin Patch|(?:Add|Update) File: ))/;

/** What stands above the first hunk or the first new line: names and modes, known from the operation already. */
function withoutFileHeader(lines: readonly string[]): string[] {
  let at = 0;
  for (;;) {
    if (headerLine.test(lines[at] ?? "")) at += 1;
    else if (lines[at]?.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) at += 2;
    else return lines.slice(at);
  }
}

interface OpenHunk {
  anchors: string[];
  startLine: number | undefined;
  lines: PatchLine[];
  atEnd: boolean;
  /** The kinds of line a "no newline at end of file" stood behind. */
  noNewline: Set<PatchLine["kind"]>;
}

function openHunk(anchors: string[], startLine: number | undefined): OpenHunk {
  return { anchors, startLine, lines: [], atEnd: false, noNewline: new Set() };
}

function readHunks(lines: readonly string[]): Hunk[] {
  const hunks: OpenHunk[] = [];
  lines.forEach((line, index) => {
    const last = hunks.at(-1);
    if (line.startsWith("@@")) {
      const head = hunkHead(line);
      // Several @@ lines in a row lead from the outer block to the inner one.
      if (last !== undefined && last.lines.length === 0) last.anchors.push(...head.anchors);
      else hunks.push(openHunk(head.anchors, head.startLine));
      return;
    }
    const current = last ?? openHunk([], undefined);
    if (last === undefined) hunks.push(current);
    readLine(current, line, index);
  });
  const read = hunks.map(finish);
  if (read.length === 0) throw new Error("The diff has no hunks");
  return read;
}

function hunkHead(line: string): { anchors: string[]; startLine: number | undefined } {
  const unified = unifiedHead.exec(line);
  if (unified !== null) return { anchors: [], startLine: Number(unified[1]) };
  const anchor = line
    .slice(2)
    .replace(/\s*@@\s*$/, "")
    .replace(/^ /, "");
  return { anchors: anchor.trim() === "" ? [] : [anchor], startLine: undefined };
}

function readLine(hunk: OpenHunk, line: string, index: number): void {
  if (line.trim() === "*** End of File") hunk.atEnd = true;
  else if (line.startsWith("\\")) hunk.noNewline.add(hunk.lines.at(-1)?.kind ?? "keep");
  else if (line.startsWith("+")) hunk.lines.push({ kind: "add", text: line.slice(1) });
  else if (line.startsWith("-")) hunk.lines.push({ kind: "remove", text: line.slice(1) });
  else if (line === "" || line.startsWith(" ")) hunk.lines.push({ kind: "keep", text: line.slice(1) });
  else throw new Error(`Line ${index + 1} of the diff starts with none of blank, + and -: ${line}`);
}

function finish({ anchors, startLine, lines, atEnd, noNewline }: OpenHunk): Hunk {
  // An empty line before the next mark is mostly a slip of the author; as context it is not missed.
  while (!atEnd && lines.at(-1)?.kind === "keep" && lines.at(-1)?.text === "") lines.pop();
  if (!lines.some((line) => line.kind !== "keep")) throw new Error("A hunk of the diff changes nothing");
  const finalNewline = noNewline.size === 0 ? undefined : !(noNewline.has("add") || noNewline.has("keep"));
  return { anchors, startLine, lines, atEnd: atEnd || noNewline.size > 0, finalNewline };
}

/** Without the empty piece after the last newline, and without carriage returns: endings belong to the file. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
