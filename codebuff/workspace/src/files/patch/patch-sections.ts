import { messageOf } from "@muster/core";
import type { FilePatch } from "./patch-format.ts";
import { readHunks } from "./patch-hunk-lines.ts";

const heading = /^\s*\*\*\* (Add|Update|Delete) File: (.+)$/;
const marker = /^\s*\*\*\* \S/;

interface Section {
  readonly verb: string;
  readonly path: string;
  /** Of its heading, counted from 1 in the whole patch. */
  readonly line: number;
  readonly body: string[];
}

/** `*** Add|Update|Delete File:` sections, in one envelope, in several, or in none. */
export function parseSections(lines: readonly string[]): FilePatch[] {
  const sections: Section[] = [];
  let envelope: "none" | "open" | "closed" = "none";
  for (const [index, text] of lines.entries()) {
    const current = sections.at(-1);
    const word = text.trim();
    if (word === "*** Begin Patch") {
      if (envelope === "open" || (envelope === "none" && current !== undefined))
        refuse(index, text, "opens a second patch inside the first");
      envelope = "open";
    } else if (word === "*** End Patch") {
      if (envelope !== "open") refuse(index, text, "ends a patch that was not begun");
      envelope = "closed";
    } else if (envelope === "closed") {
      if (word !== "") refuse(index, text, "stands after the end of the patch");
    } else if (startsSection(text, current)) {
      const [, verb = "", name = ""] = heading.exec(text) ?? [];
      sections.push({ verb, path: unquote(name.trim()), line: index + 1, body: [] });
    } else if (current !== undefined) {
      if (/^\*\*\* \S/.test(text) && !/^\*\*\* (?:End of File|Move to: .+)\s*$/.test(text))
        refuse(index, text, "is no part of a patch");
      current.body.push(text);
    } else if (word !== "") refuse(index, text, "belongs to no file");
  }
  if (envelope === "open") throw new Error("The patch does not end with *** End Patch; it may have been cut off");
  return sections.map(toFilePatch);
}

/** A heading may be indented where nothing else could stand; inside a body a blank in front makes it a line of the file. */
function startsSection(text: string, current: Section | undefined): boolean {
  if (!heading.test(text)) return false;
  return (
    !/^\s/.test(text) ||
    current === undefined ||
    current.verb === "Delete" ||
    current.body.every((line) => line.trim() === "")
  );
}

function toFilePatch({ verb, path, line, body }: Section): FilePatch {
  const name = `*** ${verb} File: ${path} (line ${line})`;
  if (verb === "Delete") {
    const at = body.findIndex((text) => text.trim() !== "");
    if (at >= 0) refuse(line + at, body[at] ?? "", `stands under ${name}, which takes no lines`);
    return { type: "delete", path };
  }
  const named = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`);
    }
  };
  if (verb === "Add") return { type: "create", path, content: named(() => newFileContent(body)) };
  const move = /^\s*\*\*\* Move to: (.+)$/.exec(body[0] ?? "")?.[1]?.trim();
  const rest = move === undefined ? body : body.slice(1);
  const second = rest.findIndex((text) => /^\*\*\* Move to:/.test(text));
  if (second >= 0)
    refuse(line + second + (move === undefined ? 0 : 1), rest[second] ?? "", "must follow its heading at once");
  if (move !== undefined && rest.every((text) => text.trim() === ""))
    return { type: "update", path, newPath: unquote(move), hunks: [] };
  const hunks = named(() => readHunks(rest));
  return { type: "update", path, newPath: move === undefined ? undefined : unquote(move), hunks };
}

/** Every line marked with +, or no line marked at all. Blank lines behind the last one are the author's, not the file's. */
export function newFileContent(given: readonly string[]): string {
  const lines = given.slice();
  if (lines[0]?.startsWith("@@")) lines.shift();
  while (/^\*\*\* End of File\s*$/.test(lines.at(-1) ?? "")) lines.pop();
  const noNewline = lines.at(-1)?.startsWith("\\") ?? false;
  if (noNewline) lines.pop();
  const isMarked = lines.some((line) => line.startsWith("+"));
  if (!isMarked) {
    const stray = lines.findIndex((line) => marker.test(line));
    if (stray >= 0) refuse(stray, lines[stray] ?? "", "is no part of a new file");
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  }
  while (lines.at(-1)?.trim() === "") lines.pop();
  const stray = lines.find((line) => line !== "" && !line.startsWith("+"));
  if (stray !== undefined)
    throw new Error(`A new file's diff has only lines that start with +, but there is: ${stray}`);
  return lines.map((line) => line.slice(1)).join("\n") + (noNewline ? "" : "\n");
}

function unquote(name: string): string {
  return name.replace(/^"(.*)"$|^'(.*)'$|^`(.*)`$/, "$1$2$3");
}

function refuse(index: number, text: string, why: string): never {
  throw new Error(`Line ${index + 1} of the patch ${why}: ${text.trim().slice(0, 200)}`);
}
