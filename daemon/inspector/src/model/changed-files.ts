import { diffLines } from "@muster/web-parts/model";
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
