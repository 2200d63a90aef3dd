import { parseGitDiff } from "./patch-git-diff.ts";
import { type Hunk, readHunks } from "./patch-hunk-lines.ts";
import { newFileContent, parseSections } from "./patch-sections.ts";

export type FilePatch =
  | { readonly type: "create"; readonly path: string; readonly content: string; readonly executable?: boolean }
  | {
      readonly type: "update";
      readonly path: string;
      readonly newPath?: string;
      readonly hunks: readonly Hunk[];
      /** What a git diff says about the exec bit. */
      readonly executable?: boolean;
    }
  | { readonly type: "delete"; readonly path: string };

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
  while (/^\s*\*\*\* End (?:of File|Patch)\s*$/.test(lines.at(-1) ?? "")) lines.pop();
  return newFileContent(lines);
}

/**
 * A patch over several files: `*** Update File:` sections with or without their envelope, or a git or unified diff. Every
 * line of it is read; one that means nothing is refused with its number, because a patch is applied as a whole or not.
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = withoutHereDocument(linesOf(stripFence(patch)));
  const hasSections = lines.some((line) => /^\s*\*\*\* (?:Begin Patch|\w+ File:)/.test(line));
  const files = hasSections ? parseSections(lines) : parseGitDiff(lines);
  if (files.length === 0) throw new Error("The patch names no file");
  return files;
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

/** Models paste the shell command they would have typed: `apply_patch <<'EOF'` … `EOF`. */
function withoutHereDocument(lines: readonly string[]): string[] {
  const full = lines.slice();
  while (full[0]?.trim() === "") full.shift();
  while (full.at(-1)?.trim() === "") full.pop();
  const word = /^(?:apply_?patch\s*)?<<-?\s*(['"]?)(\w+)\1$/.exec(full[0]?.trim() ?? "")?.[2];
  return word !== undefined && full.at(-1)?.trim() === word ? full.slice(1, -1) : full;
}

/** Without the empty piece after the last newline, and without carriage returns: endings belong to the file. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
