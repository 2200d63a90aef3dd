export interface PatchLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

export interface Hunk {
  /** Lines named after `@@`, from the outermost to the innermost. */
  readonly anchors: readonly string[];
  /** The line a unified diff says the hunk starts at, counted from 1; with no old lines, the line it comes after. */
  readonly startLine: number | undefined;
  readonly lines: readonly PatchLine[];
  /** The hunk ends where the file ends. */
  readonly atEnd: boolean;
  /** What a unified diff says about the newline at the end of the new file. */
  readonly finalNewline: boolean | undefined;
}

const unifiedHead = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;

interface OpenHunk {
  anchors: string[];
  startLine: number | undefined;
  lines: PatchLine[];
  atEnd: boolean;
  /** The kinds of line a "no newline at end of file" stood behind. */
  noNewline: Set<PatchLine["kind"]>;
}

export function readHunks(lines: readonly string[]): Hunk[] {
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
    if (last === undefined) {
      if (line.trim() === "") return;
      hunks.push(current);
    }
    readLine(current, line, index);
  });
  const read = hunks.map(finish);
  if (read.length === 0) throw new Error("The diff has no hunks");
  return read;
}

function openHunk(anchors: string[], startLine: number | undefined): OpenHunk {
  return { anchors, startLine, lines: [], atEnd: false, noNewline: new Set() };
}

function hunkHead(line: string): { anchors: string[]; startLine: number | undefined } {
  const unified = unifiedHead.exec(line);
  if (unified !== null) return { anchors: [], startLine: Number(unified[1]) };
  const anchor = line
    .slice(2)
    .replace(/\s*@@\s*$/, "")
    .replace(/^ /, "");
  // `@@ ... @@` says that something is left out, not where the hunk is.
  return { anchors: /^(?:\s|\.{3}|…)*$/.test(anchor) ? [] : [anchor], startLine: undefined };
}

function readLine(hunk: OpenHunk, line: string, index: number): void {
  if (line.trim() === "*** End of File") hunk.atEnd = true;
  else if (hunk.atEnd && line.trim() !== "")
    throw new Error(`Line ${index + 1} of the diff stands behind *** End of File: ${line}`);
  else if (line.startsWith("\\")) hunk.noNewline.add(hunk.lines.at(-1)?.kind ?? "keep");
  else if (line.startsWith("+")) hunk.lines.push({ kind: "add", text: line.slice(1) });
  else if (line.startsWith("-")) hunk.lines.push({ kind: "remove", text: line.slice(1) });
  else if (line === "" || line.startsWith(" ")) {
    if (!hunk.atEnd) hunk.lines.push({ kind: "keep", text: line.slice(1) });
  } else throw new Error(`Line ${index + 1} of the diff starts with none of blank, + and -: ${line}`);
}

function finish({ anchors, startLine, lines, atEnd, noNewline }: OpenHunk): Hunk {
  // An empty line before the next mark is mostly a slip of the author; as context it is not missed.
  while (!atEnd && lines.at(-1)?.kind === "keep" && lines.at(-1)?.text === "") lines.pop();
  if (!lines.some((line) => line.kind !== "keep")) throw new Error("A hunk of the diff changes nothing");
  const finalNewline = noNewline.size === 0 ? undefined : !(noNewline.has("add") || noNewline.has("keep"));
  return { anchors, startLine, lines, atEnd: atEnd || noNewline.size > 0, finalNewline };
}
