import { randomBytes } from "node:crypto";
import {
  chmod,
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "@muster/core";
import { isInside, replaceFile, runGit } from "@muster/node";
import { usualModes } from "../file-facts.ts";
import { ancestors, look } from "../look.ts";
import type { Store } from "../store.ts";
import { compareEntries, isDirectoryPath, listTree } from "./entries.ts";
import type { Snapshot } from "./points.ts";

export interface MaterializeWish {
  /** Must not exist, or be an empty directory. */
  into: string;
  /** A worktree shares the repository of the person; a copy has its own. */
  how?: "copy" | "worktree";
}

export interface Materialized {
  how: "copy" | "worktree";
  files: number;
  /** Copied as they are now, because no snapshot has them: the repository, and repositories inside. */
  asNow: string[];
}

/** A directory cannot be made there; the text says why. */
export class CannotMaterialize extends Error {
  override readonly name = "CannotMaterialize";
}

export interface MaterializeParts extends MaterializeWish {
  store: Store;
  git: string;
  snapshot: Snapshot;
  umask: number;
  /** The directory as it is now, by the rules of the snapshot. */
  live: () => Promise<Snapshot>;
}

const filesAtOnce = 16;
const noteName = "making.json";

/** Makes a directory that holds what a snapshot holds. It takes its place when it is whole; a failure leaves nothing. */
export async function materialize(parts: MaterializeParts): Promise<Materialized> {
  const { store, how = "copy" } = parts;
  const into = resolve(parts.into);
  await refusePlace(store, into);
  const making = join(dirname(into), `.${basename(into)}.making-${randomBytes(4).toString("hex")}`);
  await replaceFile(join(store.sessionDirectory, noteName), JSON.stringify({ making }));
  try {
    const isWorktree = how === "worktree";
    if (isWorktree) await addWorktree(parts, making);
    else await mkdir(making, { recursive: true });
    const files = await writeFiles(parts, making);
    const asNow = await copyRepositories(parts, { making, isWorktree });
    if (isWorktree) await moveWorktree(parts, { making, into });
    else await rename(making, into);
    await rm(join(store.sessionDirectory, noteName), { force: true });
    return { how, files, asNow };
  } catch (error) {
    await removeHalfMade(store, parts.git);
    throw error;
  }
}

/** What a kill or a failure has left of a directory that was being made. */
export async function removeHalfMade(store: Store, git = "git"): Promise<void> {
  const note = join(store.sessionDirectory, noteName);
  const text = await readFile(note, "utf8").catch(() => undefined);
  const making: unknown = text === undefined ? undefined : (JSON.parse(text) as { making?: unknown }).making;
  if (typeof making === "string" && basename(making).includes(".making-")) {
    await rm(making, { recursive: true, force: true });
    // The person's repository has a note of its worktrees; one that is gone is forgotten.
    await runGit(["worktree", "prune"], { program: git, cwd: store.root }).catch(() => "");
  }
  await rm(note, { force: true });
}

async function refusePlace(store: Store, into: string): Promise<void> {
  if (isInside(store.root, into)) throw new CannotMaterialize(`${into} lies inside ${store.root}`);
  const names = await readdir(into).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return [];
    throw new CannotMaterialize(`${into} is no empty directory`);
  });
  if (names.length > 0) throw new CannotMaterialize(`${into} is not empty`);
  await mkdir(dirname(into), { recursive: true });
}

/** Files that are still as they were are copied from the directory itself, sharing their blocks where the disk can. */
async function writeFiles(parts: MaterializeParts, making: string): Promise<number> {
  const { store, snapshot, umask, live } = parts;
  const { state } = snapshot;
  const entries = await listTree(store, state.tree);
  const differing = async () => {
    const changes = await compareEntries(store, { from: state, to: (await live()).state, umask });
    return new Set(changes.map(({ path }) => path));
  };
  const other = await differing();
  const directories = new Set(
    [...entries.keys(), ...state.emptyDirectories.map((path) => `${path}/`)].flatMap(ancestors),
  );
  for (const path of directories) await mkdir(join(making, path), { recursive: true });
  const same = [...entries.keys()].filter((path) => !other.has(path));
  const failed: string[] = [];
  await inParallel(same, async (path) => {
    await copyEntry(join(store.root, path), join(making, path)).catch(() => failed.push(path));
  });
  // What has changed while it was copied comes from the store, like what had changed before.
  const late = await differing();
  const stored = [...new Set([...failed, ...[...other, ...late].filter((path) => !isDirectoryPath(path))])];
  await writeStored(store, { making, paths: stored, entries });
  await setModes(making, { snapshot, entries, umask });
  return entries.size;
}

async function copyEntry(from: string, to: string): Promise<void> {
  const stat = await lstat(from);
  if (stat.isSymbolicLink()) return symlink(await readlink(from, "buffer"), to);
  if (!stat.isFile()) throw new CannotMaterialize(`${from} is no file any more`);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

async function writeStored(
  store: Store,
  { making, paths, entries }: { making: string; paths: readonly string[]; entries: ReadonlyMap<string, string> },
): Promise<void> {
  const indexFile = join(store.sessionDirectory, "making.index");
  const lines = paths.flatMap((path) => (entries.has(path) ? [`${entries.get(path)}\t${path}\0`] : []));
  if (lines.length === 0) return;
  await rm(indexFile, { force: true });
  try {
    await store.git.run(["update-index", "-z", "--index-info"], { indexFile, input: lines.join("") });
    await store.git.run(["checkout-index", "-a", "-f", "-q", `--prefix=${making}/`], { indexFile });
  } finally {
    await rm(indexFile, { force: true });
  }
}

async function setModes(
  making: string,
  { snapshot, entries, umask }: { snapshot: Snapshot; entries: ReadonlyMap<string, string>; umask: number },
): Promise<void> {
  const { modes } = snapshot.state;
  const usual = usualModes(umask);
  for (const [path, entry] of entries) {
    if (entry.startsWith("120000")) continue;
    const mode = modes[path] ?? (entry.startsWith("100755") ? usual.program : usual.file);
    const stat = look(join(making, path));
    if (stat !== undefined && (stat.mode & 0o7777) !== mode) await chmod(join(making, path), mode);
  }
  const directories = Object.keys(modes).filter(isDirectoryPath);
  for (const path of directories.sort().reverse()) {
    await chmod(join(making, path), modes[path] ?? usual.directory).catch(() => {});
  }
}

async function copyRepositories(
  { store, snapshot }: MaterializeParts,
  { making, isWorktree }: { making: string; isWorktree: boolean },
): Promise<string[]> {
  const own = !isWorktree && look(join(store.root, ".git"))?.isDirectory() === true ? [".git"] : [];
  const copied: string[] = [];
  for (const path of [...own, ...snapshot.ground.nested]) {
    if (look(join(store.root, path)) === undefined) continue;
    await mkdir(dirname(join(making, path)), { recursive: true });
    const options = { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true, force: true };
    await cp(join(store.root, path), join(making, path), options);
    copied.push(path);
  }
  return copied;
}

/** Without a checkout and without hooks: nothing that the repository's settings name is run. */
async function addWorktree({ store, git }: MaterializeParts, making: string): Promise<void> {
  const call = { program: git, cwd: store.root };
  await runGit(["worktree", "add", "--no-checkout", "--detach", making, "HEAD"], call).catch((error: unknown) => {
    throw new CannotMaterialize(`There can be no worktree of ${store.root}: ${messageOf(error)}`);
  });
  await runGit(["read-tree", "HEAD"], { program: git, cwd: making });
}

async function moveWorktree({ store, git }: MaterializeParts, { making, into }: { making: string; into: string }) {
  await rm(into, { recursive: true, force: true });
  await runGit(["worktree", "move", making, into], { program: git, cwd: store.root });
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: filesAtOnce }, lane));
}
