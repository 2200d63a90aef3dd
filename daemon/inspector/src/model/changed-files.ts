import type { Entry } from "./entries.ts";
import { partsOf } from "./item-view.ts";

export interface ChangedFile {
  path: string;
  /** What was done to it last. */
  action: "write" | "patch" | "delete";
  diffs: string[];
  added: number;
  removed: number;
  /** The entry that changed it last. */
  key: string;
}

/** The files the calls of a session have changed, in the order they were first touched. */
export function changedFiles(entries: readonly Entry[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const entry of entries) {
    if (entry.kind !== "item" || entry.view.item.status === "cancelled") continue;
    const { item, result } = entry.view;
    for (const { path, action, diff } of [...partsOf(item, "file"), ...partsOf(result, "file")]) {
      if (action === "read") continue;
      const file = files.get(path) ?? { path, action, diffs: [], added: 0, removed: 0, key: entry.key };
      files.set(path, file);
      Object.assign(file, { action, key: entry.key });
      if (diff === undefined || file.diffs.includes(diff)) continue;
      file.diffs.push(diff);
      for (const { kind } of diffLines(diff)) {
        if (kind === "added") file.added++;
        if (kind === "removed") file.removed++;
      }
    }
  }
  return [...files.values()];
}

export interface DiffLine {
  kind: "added" | "removed" | "same" | "place" | "file";
  text: string;
}

/** The lines of a unified diff. A line of three minuses is a name only where a hunk has ended. */
export function diffLines(diff: string): DiffLine[] {
  let before = 0;
  let after = 0;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text): DiffLine => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      before = Number(hunk[1] ?? 1);
      after = Number(hunk[2] ?? 1);
      return { kind: "place", text };
    }
    const inHunk = before > 0 || after > 0;
    if (inHunk && text.startsWith("-")) {
      before--;
      return { kind: "removed", text };
    }
    if (inHunk && text.startsWith("+")) {
      after--;
      return { kind: "added", text };
    }
    if (!inHunk && /^(---|\+\+\+|diff |index |rename |similarity |new file|deleted file)/.test(text)) {
      return { kind: "file", text };
    }
    if (inHunk && !text.startsWith("\\")) {
      before--;
      after--;
    }
    return { kind: "same", text };
  });
}
