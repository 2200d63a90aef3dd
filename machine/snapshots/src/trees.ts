import { readdirSync } from "node:fs";
import { chmod, mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitFailure } from "@muster/node";
import { split, type WorkTreeState } from "./capture.ts";
import { usualModes } from "./file-facts.ts";
import { ancestors, look } from "./look.ts";
import type { Store } from "./store.ts";

/** How one path differs from the first tree to the second. */
export interface TreeChange {
  path: string;
  kind: "added" | "changed" | "deleted";
  /** Git's entry in the second tree: mode and object name. Null when only permissions differ that git does not keep. */
  entry: string | null;
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
    // What leaves goes first: a file cannot come where a directory still is.
    const real = changes.filter(({ entry }) => entry !== null);
    const ordered = [...real.filter(isLeaving), ...real.filter((change) => !isLeaving(change))];
    const input = ordered.map(({ path, entry }) => `${entry}\t${path}\0`).join("");
    await store.git.run(["update-index", "-z", "--index-info"], { indexFile, input });
    return (await store.git.run(["write-tree"], { indexFile })).trim();
  } finally {
    await rm(indexFile, { force: true });
  }
}

function isLeaving({ kind }: TreeChange): boolean {
  return kind === "deleted";
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
  /** A directory that was there at the checkpoint stays, even empty. */
  mayRemove: (directory: string) => boolean;
}

/** Moves the work tree to another tree. Everything is checked before anything is changed. */
export async function moveWorkTree(store: Store, move: Move): Promise<void> {
  refuseObstacles(store.root, move.changes);
  if (move.current.tree !== move.tree) await switchTree(store, move.current.tree, move.tree);
  for (const { path, kind } of move.changes) if (kind !== "deleted") await setMode(store.root, path, move.to.modes);
  const wanted = new Set(move.to.emptyDirectories);
  for (const directory of move.from.emptyDirectories) {
    if (!wanted.has(directory)) await removeEmpty(store.root, directory, move.mayRemove);
  }
  const before = new Set(move.from.emptyDirectories);
  for (const directory of move.to.emptyDirectories) {
    if (before.has(directory)) continue;
    // Something else may stand there by now, and then it stays.
    await mkdir(join(store.root, directory), { recursive: true }).catch(() => {});
  }
  const names = new Set([...Object.keys(move.from.modes), ...Object.keys(move.to.modes)]);
  for (const name of names) {
    const { [name]: mode } = move.from.modes;
    if (name.endsWith("/") && mode === move.current.modes[name] && mode !== move.to.modes[name]) {
      await setMode(store.root, name, move.to.modes);
    }
  }
}

/** A file that was only touched looks changed to git until it has looked again. */
async function switchTree(store: Store, from: string, to: string): Promise<void> {
  const { indexFile } = store;
  const args = ["read-tree", "-m", "-u", from, to];
  try {
    await store.git.run(args, { indexFile });
  } catch (error) {
    if (!(error instanceof GitFailure) || !error.message.includes("not uptodate")) throw error;
    // It ends with 1 when some file is really changed.
    await store.git.run(["update-index", "-q", "--refresh"], { indexFile }).catch(() => "");
    await store.git.run(args, { indexFile }).catch(refuseBusyFile);
  }
}

/** A file that git finds changed a moment after it was captured is written by somebody else right now. */
function refuseBusyFile(error: unknown): never {
  const path = error instanceof GitFailure ? /Entry '(.+)' not uptodate/.exec(error.message)?.[1] : undefined;
  if (path === undefined) throw error;
  throw new InTheWay(`${path} is being written by another program`);
}

async function setMode(root: string, path: string, modes: Readonly<Record<string, number>>): Promise<void> {
  const stat = look(join(root, path));
  if (stat === undefined || stat.isSymbolicLink()) return;
  const usual = usualModes();
  const byKind = stat.isDirectory() ? usual.directory : stat.mode & 0o100 ? usual.program : usual.file;
  const mode = modes[path] ?? byKind;
  if ((stat.mode & 0o7777) !== mode) await chmod(join(root, path), mode);
}

/** Git would overwrite ignored files here without a word (read-tree has no switch against it, as of 2.39). */
function refuseObstacles(root: string, changes: readonly TreeChange[]): void {
  const leaving = new Set(changes.filter(isLeaving).map(({ path }) => path));
  for (const { path, kind } of changes) {
    if (kind !== "added") continue;
    const above = ancestors(path).find((one) => look(join(root, one))?.isDirectory() === false);
    const first = above ?? path;
    const stat = look(join(root, first));
    if (stat === undefined || leaving.has(first)) continue;
    const foreign = stat.isDirectory() ? firstOtherFile(root, first, leaving) : first;
    if (foreign !== null) throw new InTheWay(`${foreign} is in the way and would be lost`);
  }
}

/** The first file below a directory that is not about to leave anyway. */
function firstOtherFile(root: string, directory: string, leaving: ReadonlySet<string>): string | null {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (!entry.isDirectory()) {
      if (!leaving.has(path)) return path;
      continue;
    }
    const found = firstOtherFile(root, path, leaving);
    if (found !== null) return found;
  }
  return null;
}

async function removeEmpty(root: string, directory: string, mayRemove: Move["mayRemove"]): Promise<void> {
  for (let path = directory; path !== "." && mayRemove(path); path = dirname(path)) {
    const removed = await rmdir(join(root, path)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
