import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ExcludeSource, excludeText } from "./exclude-rules.ts";
import { askUserGit } from "./git.ts";
import { keepTree, replaceFile, type Store, shareIndex } from "./store.ts";

/** Everything a work tree can be put back to. */
export interface WorkTreeState {
  /** Git's name for all files with their contents, executable bits and links. */
  tree: string;
  /** Permissions git does not keep: those of files that are neither 644 nor 755 under the current umask. */
  modes: Record<string, number>;
  emptyDirectories: string[];
}

export interface Capture {
  state: WorkTreeState;
  /** Repositories inside the project. They have a history of their own and are never looked into. */
  nested: string[];
  /** Left out: too large, unreadable, or with a name that is not UTF-8. */
  skipped: string[];
}

export interface CaptureOptions {
  store: Store;
  sources: readonly ExcludeSource[];
  git: string;
  /** The project lies in a repository of the user. */
  repository: boolean;
  /** What the index is known to hold; null when nothing is known of it. */
  lastTree: string | null;
  /** Modes known from the capture before. */
  modes: Record<string, number>;
  maxFileBytes: number;
  maxFiles: number;
}

/** Records the work tree as it is now. Only what changed since the last time is read. */
export async function captureWorkTree(options: CaptureOptions): Promise<Capture> {
  const { store } = options;
  await writeExcludes(join(store.gitDirectory, "info", "exclude"), excludeText(options.sources));
  const { indexFile } = store;
  const [changed, untracked, ignoredButTracked] = await Promise.all([
    store.git.run(["ls-files", "-z", "-m", "-d", "-o", "--exclude-standard"], { indexFile }),
    store.git.run(["ls-files", "-z", "-o", "--directory", "--exclude-standard"], { indexFile }),
    // What the user committed although a rule ignores it is part of the project.
    options.repository ? askUserGit(options.git, store.root, ["ls-files", "-z", "-c", "-i", "--exclude-standard"]) : "",
  ]);
  const candidates = new Set([...split(changed), ...split(ignoredButTracked ?? "")]);
  if (candidates.size > options.maxFiles) {
    throw new Error(`${candidates.size} files would have to be recorded, more than ${options.maxFiles}: ignore some`);
  }
  const sorted = sortOut([...candidates], options);
  if (sorted.covered.length > 0) {
    const args = ["update-index", "-z", "--force-remove", "--stdin"];
    await store.git.run(args, { indexFile, input: `${sorted.covered.join("\0")}\0` });
  }
  if (sorted.paths.length > 0) {
    const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    const many = sorted.paths.length > 256 ? intoOnePack : [];
    await store.git.run([...many, ...args], { indexFile, input: `${sorted.paths.join("\0")}\0` });
  }
  const changedAny = sorted.paths.length + sorted.covered.length > 0;
  const same = changedAny || !hasLooseObject(store, options.lastTree ?? "") ? null : options.lastTree;
  const tree = same ?? (await writeTree(store));
  if (changedAny) {
    await keepTree(store, "latest", tree);
    await shareIndex(store);
  }
  const emptyDirectories = split(untracked).flatMap((path) => (path.endsWith("/") ? emptyBelow(store.root, path) : []));
  return { state: { tree, modes: sorted.modes, emptyDirectories }, nested: sorted.nested, skipped: sorted.skipped };
}

/** A file per content costs 3.4 times as much as one pack when there are 10,000 of them. */
const intoOnePack = ["-c", "core.bigFileThreshold=1"];

async function writeExcludes(file: string, text: string): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => null)) !== text) await replaceFile(file, text);
}

export function split(list: string): string[] {
  return list.split("\0").filter((entry) => entry !== "");
}

function sortOut(candidates: readonly string[], options: CaptureOptions) {
  const umask = process.umask();
  const usual = new Set([0o666 & ~umask, 0o777 & ~umask]);
  const modes = { ...options.modes };
  const sorted = {
    paths: [] as string[],
    covered: [] as string[],
    nested: [] as string[],
    skipped: [] as string[],
    modes,
  };
  const isPlain = plainDirectories(options.store.root);
  for (const path of candidates) {
    if (path.endsWith("/")) {
      sorted.nested.push(path.slice(0, -1));
      continue;
    }
    if (path.includes("\ufffd")) {
      sorted.skipped.push(path);
      continue;
    }
    const file = join(options.store.root, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    delete modes[path];
    if (!isPlain(dirname(path)) || stat?.isDirectory()) {
      sorted.covered.push(path);
      continue;
    }
    if (stat?.isFile()) {
      if (stat.size > options.maxFileBytes || !isReadable(file)) {
        sorted.skipped.push(path);
        continue;
      }
      const mode = stat.mode & 0o7777;
      if (!usual.has(mode)) modes[path] = mode;
    }
    sorted.paths.push(path);
  }
  return sorted;
}

/** Tells whether a path inside the project leads through directories only: git refuses to look behind a link. */
function plainDirectories(root: string): (directory: string) => boolean {
  const known = new Map<string, boolean>([[".", true]]);
  const isPlain = (directory: string): boolean => {
    const answer =
      known.get(directory) ??
      (isPlain(dirname(directory)) &&
        lstatSync(join(root, directory), { throwIfNoEntry: false })?.isSymbolicLink() !== true);
    known.set(directory, answer);
    return answer;
  };
  return isPlain;
}

/** Cheaper than asking git; a tree that lies in a pack by now is simply written again. */
function hasLooseObject(store: Store, name: string): boolean {
  return existsSync(join(store.gitDirectory, "objects", name.slice(0, 2), name.slice(2)));
}

/** An index that names contents which are gone is no index: everything is read again. */
async function writeTree(store: Store): Promise<string> {
  const { indexFile } = store;
  try {
    return (await store.git.run(["write-tree"], { indexFile })).trim();
  } catch {
    const paths = await store.git.run(["ls-files", "-z"], { indexFile });
    await rm(indexFile, { force: true });
    await store.git.run(["update-index", "-z", "--add", "--remove", "--stdin"], { indexFile, input: paths });
    return (await store.git.run(["write-tree"], { indexFile })).trim();
  }
}

/** Directories without any file in them, from one that git lists as untracked; at most a thousand. */
function emptyBelow(root: string, directory: string): string[] {
  const found: string[] = [];
  const waiting = [directory.replace(/\/$/, "")];
  for (let looked = 0; looked < 1000; looked++) {
    const path = waiting.pop();
    if (path === undefined) break;
    const entries = readDirectory(join(root, path));
    if (entries === null || entries.some((entry) => entry.name === ".git")) continue;
    if (entries.length === 0) found.push(path);
    for (const entry of entries) if (entry.isDirectory()) waiting.push(`${path}/${entry.name}`);
  }
  return found;
}

function readDirectory(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return null;
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
