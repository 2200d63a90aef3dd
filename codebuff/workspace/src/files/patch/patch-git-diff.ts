import type { FilePatch } from "./patch-format.ts";
import { readHunks } from "./patch-hunk-lines.ts";
import { newFileContent } from "./patch-sections.ts";

/** A diff as git or `diff -u` prints it. */
export function parseGitDiff(lines: readonly string[]): FilePatch[] {
  const git = lines.some((line) => line.startsWith("diff --git "));
  // Without git's line a part starts at its two names; a removed line may look like the first of them.
  const starts = (line: string, next: string) =>
    git ? line.startsWith("diff --git ") : line.startsWith("--- ") && next.startsWith("+++ ");
  return sectionsOf(withoutSignature(lines), starts).map(toFilePatch);
}

function toFilePatch(section: readonly string[]): FilePatch {
  const [start = ""] = section;
  if (section.some((line) => line.startsWith("GIT binary patch") || /^Binary files .* differ$/.test(line))) {
    throw new Error("A binary patch cannot be applied");
  }
  const header = section.slice(0, untilHunk(section));
  const content = section.slice(header.length);
  const value = (word: string) => header.find((line) => line.startsWith(word))?.slice(word.length);
  const unknown = header.find((line) => !knownHeader.test(line) && line.trim() !== "");
  if (unknown !== undefined) throw new Error(`The patch has a line that means nothing: ${unknown.slice(0, 200)}`);
  const names = namesOf(start);
  const from =
    value("rename from ") ?? pathOf(value("--- ")) ?? (value("--- ") === undefined ? names?.from : undefined);
  const to = value("rename to ") ?? pathOf(value("+++ ")) ?? (value("+++ ") === undefined ? names?.to : undefined);
  const created = value("new file mode ");
  const mode = created ?? value("new mode ");
  const executable = mode === undefined ? undefined : mode.trim() === "100755";
  if (mode !== undefined && !/^100(?:644|755)\s*$/.test(mode)) throw new Error(`A file of mode ${mode} cannot be made`);
  if (value("copy from ") !== undefined)
    throw new Error("A patch that copies a file cannot be applied; add it as a new file");
  if ((created !== undefined || from === undefined) && to !== undefined) {
    return { type: "create", path: to, content: content.length === 0 ? "" : newFileContent(content), executable };
  }
  if (from === undefined) throw new Error(`The patch has a part without a file name: ${start}`);
  if (to === undefined || value("deleted file mode") !== undefined) return { type: "delete", path: from };
  const hunks = content.length === 0 ? [] : readHunks(content);
  if (hunks.length === 0 && from === to && executable === undefined)
    throw new Error(`${from}: the patch changes nothing`);
  return { type: "update", path: from, newPath: from === to ? undefined : to, hunks, executable };
}

const knownHeader =
  /^(?:diff --git |index |old mode |new mode |new file mode |deleted file mode |similarity index |dissimilarity index |rename from |rename to |copy from |copy to |--- |\+\+\+ |Index: |={5,}$)/;

function untilHunk(lines: readonly string[]): number {
  const at = lines.findIndex((line) => line.startsWith("@@"));
  return at < 0 ? lines.length : at;
}

/** A name of a `---` or `+++` line; /dev/null is no file. */
function pathOf(value: string | undefined): string | undefined {
  const name = value?.split("\t")[0]?.trim();
  if (name === undefined || name === "/dev/null") return undefined;
  return unquote(name).replace(/^[ab]\//, "");
}

/** `diff --git a/x b/x`: the only place where an empty file has a name. */
function namesOf(start: string): { from: string; to: string } | undefined {
  const rest = start.startsWith("diff --git ") ? start.slice("diff --git ".length) : "";
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted !== null) return { from: pathOf(quoted[1]) ?? "", to: pathOf(quoted[2]) ?? "" };
  // Names with blanks are not quoted; where both are the same the middle is where they part.
  const middle = (rest.length - 1) / 2;
  const [from, to] = [rest.slice(0, middle), rest.slice(middle + 1)];
  if (Number.isInteger(middle) && from.slice(2) === to.slice(2))
    return { from: pathOf(from) ?? "", to: pathOf(to) ?? "" };
  return undefined;
}

/** git writes unusual names in quotes, byte by byte. */
function unquote(name: string): string {
  const inner = /^"(.*)"$/s.exec(name)?.[1];
  if (inner === undefined) return name;
  const letters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
  const bytes = [...inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, letter, plain]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    return Buffer.from(letter === undefined ? (plain ?? "") : (letters[letter] ?? letter));
  });
  return Buffer.concat(bytes).toString("utf8");
}

/** What stands before the first part is a letter or a list of files; a line of a patch there would be lost, and is refused. */
function sectionsOf(lines: readonly string[], starts: (line: string, next: string) => boolean): string[][] {
  const sections: string[][] = [];
  lines.forEach((line, index) => {
    const current = sections.at(-1);
    if (starts(line, lines[index + 1] ?? "")) sections.push([line]);
    else if (current !== undefined) current.push(line);
    else if (/^(?:@@|\+|-(?!-- ?$)|\*\*\* )/.test(line))
      throw new Error(`Line ${index + 1} of the patch belongs to no file: ${line.slice(0, 200)}`);
  });
  return sections;
}

/** The end of a mailed patch: `-- ` and git's version. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const at = lines.length - 2 - (lines.at(-1)?.trim() === "" ? 1 : 0);
  return at > 0 && /^-- ?$/.test(lines[at] ?? "") && /^\d+\.\d+/.test(lines[at + 1] ?? "") ? lines.slice(0, at) : lines;
}
