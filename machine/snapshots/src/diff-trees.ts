import { split } from "./capture.ts";
import type { Store } from "./store.ts";

interface FileDiff {
  path: string;
  kind: "added" | "changed" | "deleted" | "renamed";
  /** The name before, of a renamed one. */
  from?: string;
  /** Lines; both missing for a file that is no text. */
  additions?: number;
  deletions?: number;
}

export interface TreesDiff {
  files: FileDiff[];
  /** Unified, as git prints it. */
  patch: string;
  /** The patch is longer than a megabyte and ends early; the files are all there. */
  truncated: boolean;
}

const longestPatch = 1024 * 1024;

/** What is different in the second tree, file by file and as text; only in `paths` when they are named. */
export async function diffTrees(
  store: Store,
  from: string,
  to: string,
  paths: readonly string[] = [],
): Promise<TreesDiff> {
  if (from === to) return { files: [], patch: "", truncated: false };
  const only = paths.length === 0 ? [] : ["--", ...paths.map((path) => `:(top,literal)${path}`)];
  const args = ["diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"];
  const [names, counts, text] = await Promise.all([
    store.git.run([...args, "-z", "--name-status", from, to, ...only]),
    store.git.run([...args, "-z", "--numstat", from, to, ...only]),
    store.git.run([...args, "-p", from, to, ...only]),
  ]);
  const lines = readCounts(split(counts));
  const files = readNames(split(names)).map((file) => ({ ...file, ...lines.get(file.path) }));
  return { files, patch: text.slice(0, longestPatch), truncated: text.length > longestPatch };
}

function readNames(fields: readonly string[]): FileDiff[] {
  const files: FileDiff[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const status = fields[at] ?? "";
    const path = fields[at + 1] ?? "";
    if (status.startsWith("R")) {
      at += 1;
      files.push({ path: fields[at + 1] ?? "", kind: "renamed", from: path });
    } else files.push({ path, kind: status === "A" ? "added" : status === "D" ? "deleted" : "changed" });
  }
  return files;
}

/** `added TAB deleted TAB path`, or for a renamed one an empty path and then both names. */
function readCounts(fields: readonly string[]): Map<string, Pick<FileDiff, "additions" | "deletions">> {
  const counts = new Map<string, Pick<FileDiff, "additions" | "deletions">>();
  for (let at = 0; at < fields.length; at++) {
    const [added = "", deleted = "", ...name] = (fields[at] ?? "").split("\t");
    const named = name.join("\t");
    if (named === "") at += 2;
    const path = named === "" ? (fields[at] ?? "") : named;
    counts.set(path, added === "-" ? {} : { additions: Number(added), deletions: Number(deleted) });
  }
  return counts;
}
