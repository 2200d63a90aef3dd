import type { Answer, FileChange, FileEntry } from "@muster/schema";
import { printable } from "./printable.ts";
import { table } from "./table.ts";

/** What a directory holds, with a slash behind directories and where links point. */
export function filesText({ entries, hasMore }: Answer<"files.list">, columns: number | undefined): string {
  if (entries.length === 0) return "it holds nothing\n";
  const rows = entries.map((entry) => ({ ...entry, path: nameOf(entry) }));
  const more = hasMore ? `more: --after ${entries.at(-1)?.path}\n` : "";
  return table(["mode", "size", "modifiedAt", "path"], rows, columns) + printable(more);
}

function nameOf({ path, type, target }: FileEntry): string {
  if (type === "directory") return `${path}/`;
  return target === undefined ? path : `${path} -> ${target}`;
}

/** As `grep -n` tells them. */
export function matchesText({ matches, hasMore }: Answer<"files.search">): string {
  if (matches.length === 0) return "nothing was found\n";
  const lines = matches.map(({ path, line, text }) => `${path}:${line}:${text}\n`);
  return printable(lines.join("") + (hasMore ? "there are more; --limit takes them\n" : ""));
}

export function changeLine({ type, path, kind }: FileChange): string {
  const what = { overflow: "something was missed: look again", watching: "watching" } as const;
  if (type === "overflow" || type === "watching") return `${what[type]}\n`;
  return printable(`${type} ${path}${kind === "directory" ? "/" : ""}\n`);
}
