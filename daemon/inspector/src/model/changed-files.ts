import { diffLines } from "@muster/web-parts/model";
import type { Entry } from "./entries.ts";
import { partsOf } from "./item-view.ts";
import { netDiff } from "./net-diff.ts";

export interface ChangedFile {
  path: string;
  /** What was done to it last. */
  action: "write" | "patch" | "delete";
  /** One, where all changes could be put together; else one after the other. */
  diffs: readonly string[];
  /** In how many calls. */
  times: number;
  added: number;
  removed: number;
  /** The entry that changed it last. */
  key: string;
}

interface Touched extends Pick<ChangedFile, "path" | "action" | "key" | "times"> {
  diffs: string[];
}

/** The files the calls of a session have changed, in the order they were first touched; each with all its changes as one. */
export function changedFiles(entries: readonly Entry[]): ChangedFile[] {
  return [...touchedFiles(entries).values()].flatMap((file) => {
    const net = file.diffs.length > 1 ? netDiff(file.diffs) : undefined;
    // It is again as it was.
    if (net === "") return [];
    const diffs = net === undefined ? file.diffs : [net];
    const lines = diffs.flatMap(diffLines);
    const count = (wanted: "added" | "removed") => lines.filter(({ kind }) => kind === wanted).length;
    return [{ ...file, diffs, added: count("added"), removed: count("removed") }];
  });
}

function touchedFiles(entries: readonly Entry[]): Map<string, Touched> {
  const files = new Map<string, Touched>();
  for (const entry of entries) {
    if (entry.kind !== "item" || entry.view.item.status === "cancelled") continue;
    const { item, result } = entry.view;
    /** A call and its result tell of the same change. */
    const told = new Set<string>();
    for (const { path, action, diff } of [...partsOf(item, "file"), ...partsOf(result, "file")]) {
      if (action === "read") continue;
      const file = files.get(path) ?? { path, action, diffs: [], times: 0, key: entry.key };
      files.set(path, file);
      Object.assign(file, { action, key: entry.key });
      const change = `${path}\n${diff ?? ""}`;
      if (diff === undefined || told.has(change)) continue;
      told.add(change);
      file.diffs.push(diff);
      file.times++;
    }
  }
  return files;
}

/** All of it as one text that `git apply` takes. */
export function patchOf(files: readonly ChangedFile[]): string {
  return files.flatMap(({ diffs }) => diffs.map((diff) => (diff.endsWith("\n") ? diff : `${diff}\n`))).join("");
}
