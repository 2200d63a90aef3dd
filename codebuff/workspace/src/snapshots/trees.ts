import { lstatSync, readdirSync } from "node:fs";
import { chmod, mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { split, type WorkTreeState } from "./capture.ts";
import type { Store } from "./store.ts";

/** How one path differs from the first tree to the second. */
export interface TreeChange {
  path: string;
  kind: "added" | "changed" | "deleted";
  /** Git's entry in the second tree: mode and object name. */
  entry: string;
}

export async function compareTrees(store: Store, from: string, to: string): Promise<TreeChange[]> {
  if (from === to) return [];
  const fields = split(
    await store.git.run(["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to]),
  );
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , object = "", status = ""] = (fields[at] ?? "").split(" ");
    const kind = status === "A" ? "added" : status === "D" ? "deleted" : "changed";
    changes.push({ path: fields[at + 1] ?? "", kind, entry: `${mode} ${object}` });
  }
  return changes;
}

/** The tree `base` with some of its paths as in the second tree of `changes`. */
export async function combineTrees(store: Store, base: string, changes: readonly TreeChange[]): Promise<string> {
  const indexFile = `${store.indexFile}.combine`;
  try {
    await store.git.run(["read-tree", base], { indexFile });
    const input = changes.map(({ path, entry }) => `${entry}\t${path}\0`).join("");
    await store.git.run(["update-index", "-z", "--index-info"], { indexFile, input });
    return (await store.git.run(["write-tree"], { indexFile })).trim();
  } finally {
    await rm(indexFile, { force: true });
  }
}

/** A file stands where another one would have to go, and no snapshot has it. */
export class InTheWay extends Error {
  override readonly name = "InTheWay";
}

export interface Move {
  /** The state that was just captured. */
  current: WorkTreeState;
  tree: string;
  changes: readonly TreeChange[];
  from: WorkTreeState;
  to: WorkTreeState;
}

/** Moves the work tree to another tree. Everything is checked before anything is changed. */
export async function moveWorkTree(store: Store, move: Move): Promise<void> {
  refuseObstacles(store.root, move.changes);
  await store.git.run(["read-tree", "-m", "-u", move.current.tree, move.tree], { indexFile: store.indexFile });
  for (const { path, kind } of move.changes) {
    const mode = move.to.modes[path];
    if (kind !== "deleted" && mode !== undefined) await chmod(join(store.root, path), mode);
  }
  const wanted = new Set(move.to.emptyDirectories);
  for (const directory of move.from.emptyDirectories) {
    if (!wanted.has(directory)) await removeEmpty(store.root, directory);
  }
  for (const directory of wanted) {
    // Something else may stand there by now, and then it stays.
    await mkdir(join(store.root, directory), { recursive: true }).catch(() => {});
  }
}

/** Git would overwrite ignored files here without a word (read-tree has no switch against it, as of 2.39). */
function refuseObstacles(root: string, changes: readonly TreeChange[]): void {
  const leaving = new Set(changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path));
  const checked = new Set<string>();
  for (const { path, kind } of changes) {
    if (kind !== "added") continue;
    const parts = path.split("/");
    for (let length = 1; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join("/");
      if (checked.has(prefix)) continue;
      const stat = lstatSync(join(root, prefix), { throwIfNoEntry: false });
      if (stat === undefined || (!stat.isDirectory() && leaving.has(prefix))) break;
      if (length < parts.length) checked.add(prefix);
      if (stat.isDirectory() && length < parts.length) continue;
      const foreign = stat.isDirectory() ? strangerIn(root, prefix, leaving) : prefix;
      if (foreign !== null) throw new InTheWay(`${foreign} is in the way and would be lost`);
    }
  }
}

/** The first file below a directory that is not about to leave anyway. */
function strangerIn(root: string, directory: string, leaving: ReadonlySet<string>): string | null {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (!entry.isDirectory()) {
      if (!leaving.has(path)) return path;
      continue;
    }
    const found = strangerIn(root, path, leaving);
    if (found !== null) return found;
  }
  return null;
}

async function removeEmpty(root: string, directory: string): Promise<void> {
  for (let path = directory; path !== "."; path = dirname(path)) {
    const removed = await rmdir(join(root, path)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
