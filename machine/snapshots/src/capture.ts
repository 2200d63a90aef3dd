import { accessSync, constants, existsSync, type Stats } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GitFailure, replaceFile } from "@muster/node";
import { readDirectories } from "./empty-directories.ts";
import { factsOf } from "./file-facts.ts";
import type { Ground } from "./ground.ts";
import { look, obstacleFinder, readDirectory, stampOf } from "./look.ts";
import { keepTree, type Store, shareIndex } from "./store.ts";

/** Everything a work tree can be put back to. */
export interface WorkTreeState {
  /** Git's name for all files with their contents, executable bits and links. */
  tree: string;
  /** See `FileFacts`. */
  modes: Record<string, number>;
  emptyDirectories: string[];
  /** Recorded although the rules ignore them: they have taken the place of something recorded. */
  extras: string[];
}

export interface Capture {
  state: WorkTreeState;
  nested: string[];
  /** Left out: too large, unreadable, or with a name that is not UTF-8. */
  skipped: string[];
  /** Somebody wrote to them all the time; what was recorded of them may be no content they ever had. */
  busy: string[];
  inodes: Set<number>;
  /** After the last file was looked at, in ms. */
  time: number;
  /** Differed from what was recorded before. */
  changed: string[];
  /** See `FileFacts`. */
  stamps: ReadonlyMap<string, string> | null;
}

export interface CaptureOptions {
  store: Store;
  ground: Pick<Ground, "rules" | "tracked" | "nested" | "skipped">;
  /**
   * A checkpoint records what the rules say. Later, what has taken the place of a recorded file is recorded too, ignored
   * or not: it cannot have been there at the checkpoint, and it stands in the way.
   */
  moment: "checkpoint" | "later";
  /** Of the capture before, for the same checkpoint. */
  extras: readonly string[];
  /** What the index is known to hold; null when nothing is known of it. */
  lastTree: string | null;
  /** The index was made by other rules: what these ignore has to leave it. */
  rulesChanged: boolean;
  maxFileBytes: number;
  maxFiles: number;
  /** New content of one capture, in bytes; more is refused. */
  maxBytes?: number;
  /** Whether a file that is written meanwhile is read again and then left out; a checkpoint always does. */
  isSteady?: boolean;
  /** Permissions are told against this umask; left out it is that of the process. */
  umask?: number;
}

/** More would have to be recorded than is allowed at once. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
  readonly what: "files" | "bytes";

  constructor(what: "files" | "bytes", message: string) {
    super(message);
    this.what = what;
  }
}

/** A file that is being written is read again so often, then it is named. */
const attempts = 4;

/** Records the work tree as it is now. Only what changed since the last time is read. */
export async function captureWorkTree(options: CaptureOptions): Promise<Capture> {
  const { store, ground, moment } = options;
  const isSteady = options.isSteady ?? moment === "checkpoint";
  const rulesFile = join(store.sessionDirectory, "rules");
  await replaceFile(rulesFile, ground.rules);
  const changed = new Set<string>();
  let lastTree = options.lastTree;
  for (let attempt = 1; ; attempt++) {
    const begun = Date.now();
    const sorted = sortFiles(await listWorkTree(options, rulesFile), options);
    for (const path of [...sorted.paths, ...sorted.leaving]) changed.add(path);
    const before = isSteady ? stampsOf(store.root, sorted.paths) : noStamps;
    const unread = await record(store, sorted);
    if (sorted.paths.size + sorted.leaving.size > 0) lastTree = null;
    const tree = await treeOf(store, lastTree);
    const late = [...before].filter(([path, stamp]) => stampOf(join(store.root, path)) !== stamp);
    const busy = [...new Set([...unread, ...late.map(([path]) => path)])];
    if (isSteady && busy.length > 0 && attempt < attempts) continue;
    const settled = isSteady && busy.length > 0 ? await treeWithout(store, busy, sorted) : tree;
    if (changed.size > 0) {
      await keepTree(store, "latest", settled);
      await shareIndex(store);
    }
    const { empty, visited } = readDirectories(store.root, sorted.recorded, ground.rules);
    const time = Date.now();
    const known = { paths: sorted.recorded, emptyDirectories: empty, visited };
    const { modes, inodes, stamps } = await factsOf(store.root, { ...known, umask: options.umask, begun });
    const { nested, skipped, recorded } = sorted;
    const extras = [...sorted.extras].filter((path) => recorded.has(path));
    const state = { tree: settled, modes, emptyDirectories: empty, extras };
    return { state, nested, skipped, busy, inodes, time, changed: [...changed], stamps };
  }
}

const noStamps: ReadonlyMap<string, string> = new Map();

function stampsOf(root: string, paths: Iterable<string>): Map<string, string> {
  return new Map([...paths].map((path) => [path, stampOf(join(root, path))]));
}

export function split(list: string): string[] {
  return list.split("\0").filter((entry) => entry !== "");
}

interface Listed {
  /** In the index. */
  recorded: Set<string>;
  /** Changed, deleted or new. */
  candidates: Set<string>;
  /** In the index and ignored. */
  ignored: string[];
}

async function listWorkTree(options: CaptureOptions, rulesFile: string): Promise<Listed> {
  const { store, ground, extras, rulesChanged } = options;
  const [all, ignored] = await Promise.all([
    list(store, ["-t", "-c", "-m", "-d", "-o", "-X", rulesFile]),
    rulesChanged ? list(store, ["-c", "-i", "-X", rulesFile]) : [],
  ]);
  const recorded = new Set<string>();
  const candidates = new Set<string>();
  for (const entry of all) (entry.startsWith("H ") ? recorded : candidates).add(entry.slice(2));
  for (const path of ground.tracked) if (!recorded.has(path)) candidates.add(path);
  const belongs = new Set([...ground.tracked, ...extras]);
  return { recorded, candidates, ignored: ignored.filter((path) => !belongs.has(path)) };
}

async function list(store: Store, args: readonly string[]): Promise<string[]> {
  return split(await store.git.run(["ls-files", "-z", ...args], { indexFile: store.indexFile }));
}

interface Sorted {
  /** To be read. */
  paths: Set<string>;
  /** To be taken out of the index. */
  leaving: Set<string>;
  nested: string[];
  skipped: string[];
  extras: Set<string>;
  /** In the index afterwards. */
  recorded: Set<string>;
}

function sortFiles({ recorded, candidates, ignored }: Listed, options: CaptureOptions): Sorted {
  const { store, ground, moment, maxFiles, maxBytes = Number.POSITIVE_INFINITY } = options;
  const sorted: Sorted = {
    paths: new Set(),
    leaving: new Set(),
    nested: [],
    skipped: [],
    extras: new Set(options.extras),
    recorded,
  };
  const isClosed = closedBy(ground);
  const obstacle = obstacleFinder(store.root);
  const closed = [...recorded].filter(isClosed);
  for (const path of [...closed, ...ignored]) leave(path, sorted);
  const waiting = [...candidates].filter((path) => !isClosed(path) && !sorted.leaving.has(path));
  if (waiting.length > maxFiles) {
    throw new TooMuch("files", `${waiting.length} files would have to be recorded, more than ${maxFiles}: ignore some`);
  }
  let bytes = 0;
  const seen = new Set(waiting);
  const addExtras = (extras: readonly string[]) => {
    if (moment === "checkpoint") return;
    for (const extra of extras.filter((one) => !seen.has(one) && !recorded.has(one) && !isClosed(one))) {
      seen.add(extra);
      waiting.push(extra);
      sorted.extras.add(extra);
    }
  };
  for (const path of waiting) {
    if (path.endsWith("/")) {
      sorted.nested.push(path.slice(0, -1));
      continue;
    }
    const stat = look(join(store.root, path));
    const inTheWay = obstacle(path);
    if (inTheWay !== null || stat?.isDirectory()) {
      leave(path, sorted);
      addExtras(inTheWay === null ? filesBelow(store.root, path) : [inTheWay]);
    } else if (path.includes("\ufffd") || !canRecord(join(store.root, path), stat, options)) {
      leave(path, sorted);
      sorted.skipped.push(path);
    } else {
      bytes += stat?.size ?? 0;
      if (bytes > maxBytes)
        throw new TooMuch("bytes", `More than ${maxBytes} bytes would have to be recorded: ignore some files`);
      sorted.paths.add(path);
      if (stat === undefined) recorded.delete(path);
      else recorded.add(path);
    }
  }
  return sorted;
}

/** One that is no longer recorded must not stay in the index with the content it had once. */
function leave(path: string, sorted: Sorted): void {
  if (sorted.recorded.delete(path)) sorted.leaving.add(path);
}

/** A path the checkpoint did not record stays unrecorded: it would look as if it had come afterwards. */
function closedBy({ nested, skipped }: CaptureOptions["ground"]): (path: string) => boolean {
  const names = new Set(skipped);
  const places = nested.map((path) => `${path}/`);
  return (path) => names.has(path) || places.some((place) => path.startsWith(place));
}

function canRecord(file: string, stat: Stats | undefined, { maxFileBytes }: CaptureOptions): boolean {
  if (stat === undefined || stat.isSymbolicLink()) return true;
  if (!stat.isFile() || stat.size > maxFileBytes) return false;
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    // Any reason it cannot be read keeps it out of the snapshot.
    return false;
  }
}

/** All files below a directory, as long as they are few: an installed package tree is not worth minutes. */
function filesBelow(root: string, directory: string): string[] {
  const most = 2000;
  const found: string[] = [];
  const waiting = [directory];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = readDirectory(join(root, path));
    if (entries.some((entry) => entry.name === ".git")) continue;
    for (const entry of entries) (entry.isDirectory() ? waiting : found).push(`${path}/${entry.name}`);
    if (found.length > most) return [];
  }
  return found;
}

/** Returns the paths that could not be read, mostly because they changed while git read them. */
async function record(store: Store, { paths, leaving }: Sorted): Promise<string[]> {
  await forceRemove(store, [...leaving]);
  const unread: string[] = [];
  const waiting = new Set(paths);
  while (waiting.size > 0) {
    const many = waiting.size > 256 ? intoOnePack : [];
    const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    try {
      await store.git.run([...many, ...args], {
        indexFile: store.indexFile,
        input: `${[...waiting].join("\0")}\0`,
      });
      return unread;
    } catch (error) {
      const named =
        error instanceof GitFailure ? /Unable to process path ([\s\S]*)$/.exec(error.message)?.[1] : undefined;
      if (named === undefined || !waiting.delete(named) || unread.length > 100) throw error;
      unread.push(named);
    }
  }
  return unread;
}

/** A file per content costs 3.4 times as much as one pack when there are 10,000 of them. */
const intoOnePack = ["-c", "core.bigFileThreshold=1"];

async function forceRemove(store: Store, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await store.git.run(args, { indexFile: store.indexFile, input: `${paths.join("\0")}\0` });
}

async function treeOf(store: Store, known: string | null): Promise<string> {
  return known !== null && hasLooseObject(store, known) ? known : writeTree(store);
}

/** A content that was caught in the middle of a write must not be put back. */
async function treeWithout(store: Store, busy: readonly string[], sorted: Sorted): Promise<string> {
  await forceRemove(store, busy);
  for (const path of busy) sorted.recorded.delete(path);
  return writeTree(store);
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
