import { createHash } from "node:crypto";
import { createReadStream, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { split, type WorkTreeState } from "../capture.ts";
import { usualModes } from "../file-facts.ts";
import { obstacleFinder } from "../look.ts";
import type { Store } from "../store.ts";

/**
 * What stands under a path; null for nothing. Of a file or link git's mode, git's name of the content, and permissions. A
 * directory's path ends with a slash; its entry says that it is empty, or which unusual permissions it has.
 */
export type Entry = string | null;

export interface EntryChange {
  path: string;
  before: Entry;
  after: Entry;
}

export function isDirectoryPath(path: string): boolean {
  return path.endsWith("/");
}

/** What is different in the second state, permissions and empty directories too. */
export async function compareEntries(
  store: Store,
  { from, to, umask, objects }: { from: WorkTreeState; to: WorkTreeState; umask: number; objects?: string },
): Promise<EntryChange[]> {
  const changes = new Map<string, EntryChange>();
  if (from.tree !== to.tree) {
    const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from.tree, to.tree];
    const fields = split(await store.git.run(args, { objects }));
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [oldMode = "", newMode = "", oldName = "", newName = ""] = (fields[at] ?? "").slice(1).split(" ");
      const path = fields[at + 1] ?? "";
      const before = fileEntry({ mode: oldMode, name: oldName, permissions: from.modes[path], umask });
      const after = fileEntry({ mode: newMode, name: newName, permissions: to.modes[path], umask });
      changes.set(path, { path, before, after });
    }
  }
  const named = new Set([...Object.keys(from.modes), ...Object.keys(to.modes)]);
  const touched = [...named].filter((path) => from.modes[path] !== to.modes[path] && !changes.has(path));
  const files = touched.filter((path) => !isDirectoryPath(path));
  for (const [path, entry] of await entriesOf(store, { tree: to.tree, paths: files, objects })) {
    const [mode = "", name = ""] = entry.split(" ");
    const before = fileEntry({ mode, name, permissions: from.modes[path], umask });
    const after = fileEntry({ mode, name, permissions: to.modes[path], umask });
    if (before !== after) changes.set(path, { path, before, after });
  }
  const emptyBefore = new Set(from.emptyDirectories);
  const emptyAfter = new Set(to.emptyDirectories);
  const directories = new Set([...touched.filter(isDirectoryPath)]);
  for (const path of [...emptyBefore, ...emptyAfter]) {
    if (emptyBefore.has(path) !== emptyAfter.has(path)) directories.add(`${path}/`);
  }
  for (const path of directories) {
    const before = directoryEntry(path, { state: from, empty: emptyBefore, umask });
    const after = directoryEntry(path, { state: to, empty: emptyAfter, umask });
    if (before !== after) changes.set(path, { path, before, after });
  }
  return [...changes.values()];
}

/** Mode and content of some files of a tree, as git names them. */
async function entriesOf(
  store: Store,
  { tree, paths, objects }: { tree: string; paths: readonly string[]; objects?: string },
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const wanted = new Set(paths);
  return new Map([...(await listTree(store, tree, objects))].filter(([path]) => wanted.has(path)));
}

/** Every file of a tree: path → mode and content. */
export async function listTree(store: Store, tree: string, objects?: string): Promise<Map<string, string>> {
  const lines = split(await store.git.run(["ls-tree", "-r", "-z", "--full-tree", tree], { objects }));
  return new Map(
    lines.map((line) => {
      const [mode = "", , name = ""] = line.slice(0, line.indexOf("\t")).split(" ");
      return [line.slice(line.indexOf("\t") + 1), `${mode} ${name}`];
    }),
  );
}

function fileEntry(file: { mode: string; name: string; permissions: number | undefined; umask: number }): Entry {
  const { mode, name, permissions, umask } = file;
  if (mode === "000000") return null;
  if (mode === "120000") return `${mode} ${name} link`;
  const usual = usualModes(umask);
  return `${mode} ${name} ${(permissions ?? (mode === "100755" ? usual.program : usual.file)).toString(8)}`;
}

function directoryEntry(
  path: string,
  { state, empty, umask }: { state: WorkTreeState; empty: ReadonlySet<string>; umask: number },
): Entry {
  const permissions = state.modes[path];
  if (empty.has(path.slice(0, -1))) return `empty ${(permissions ?? usualModes(umask).directory).toString(8)}`;
  return permissions === undefined ? null : `full ${permissions.toString(8)}`;
}

/** What stands under a name on the disk now, read anew. Anything but a file or a link has an entry that no tree has. */
export async function entryOnDisk(root: string, path: string): Promise<Entry> {
  const file = join(root, path);
  // Behind a link lies what belongs to another place, and mostly to somebody else.
  if (obstacleFinder(root)(path) !== null) return null;
  try {
    const stat = lstatSync(file);
    if (stat.isSymbolicLink()) return `120000 ${blobName([readlinkSync(file, "buffer")])} link`;
    if (!stat.isFile()) return "other";
    const name = await blobNameOfFile(file, stat.size);
    return `${stat.mode & 0o100 ? "100755" : "100644"} ${name} ${(stat.mode & 0o7777).toString(8)}`;
  } catch (error) {
    if (isAbsent(error)) return null;
    // Cannot be read, so it cannot be what was recorded.
    return "other";
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function blobName(pieces: readonly Buffer[]): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const hash = createHash("sha1").update(`blob ${length}\0`);
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

async function blobNameOfFile(file: string, size: number): Promise<string> {
  const hash = createHash("sha1").update(`blob ${size}\0`);
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}
