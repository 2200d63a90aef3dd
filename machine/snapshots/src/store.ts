import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, parse, sep } from "node:path";
import { isInside, replaceFile } from "@muster/node";
import { ShadowGit } from "./git.ts";

/** Snapshots cannot be had here at all; the text says why. */
export class SnapshotsUnavailable extends Error {
  override readonly name = "SnapshotsUnavailable";
}

export interface StoreOptions {
  root: string;
  /** Where the stores of all projects lie. */
  directory: string;
  session: string;
  git: string;
  /** Directories that the project may neither be nor hold. */
  closed?: readonly string[];
  /** Whether another session may start from this one's index; a copy of it is then kept. */
  sharesIndex?: boolean;
}

/**
 * One project's store, outside of the project: a git repository of our own for contents, and one directory per session
 * with its index and timeline. Two sessions share contents and nothing else.
 */
export interface Store {
  root: string;
  git: ShadowGit;
  gitDirectory: string;
  sessionDirectory: string;
  /** What git believes to be in the work tree; only ours, the user's index is another file. */
  indexFile: string;
  /** A copy of the newest index of any session: a new session starts from it instead of reading every file. */
  sharedIndexFile: string | null;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const root = await realpath(options.root);
  const home = await realpath(homedir()).catch(() => homedir());
  if (root === parse(root).root) throw new SnapshotsUnavailable(`${root} is the whole machine, no project directory`);
  if (isInside(root, home))
    throw new SnapshotsUnavailable(
      `${root} is ${root === home ? "" : "above "}the home directory, no project directory`,
    );
  for (const directory of options.closed ?? []) {
    const closed = await realpath(directory).catch(() => directory);
    if (isInside(root, closed)) throw new SnapshotsUnavailable(`${closed} lies inside ${root}`);
  }
  if (!/^[\w.-]{1,64}$/.test(options.session)) throw new SnapshotsUnavailable(`Bad session name: ${options.session}`);
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const parent = await realpath(options.directory);
  if (`${parent}${sep}`.startsWith(`${root}${sep}`))
    throw new SnapshotsUnavailable(`${parent} lies inside the project`);

  const name = `${basename(root).replace(/[^\w.-]/g, "_")}-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  const gitDirectory = join(parent, name, "git");
  const sessionDirectory = join(parent, name, "sessions", options.session);
  await mkdir(sessionDirectory, { recursive: true, mode: 0o700 });
  const git = new ShadowGit({ directory: gitDirectory, workTree: root, git: options.git });
  await prepareRepository(git, gitDirectory);
  const indexFile = join(sessionDirectory, "index");
  const sharedIndexFile = (options.sharesIndex ?? true) ? join(parent, name, "index") : null;
  await removeStaleLock(`${indexFile}.lock`);
  if (sharedIndexFile !== null && !(await exists(indexFile)))
    await copyFile(sharedIndexFile, indexFile).catch(() => {});
  return { root, git, gitDirectory, sessionDirectory, indexFile, sharedIndexFile };
}

export async function shareIndex(store: Store): Promise<void> {
  if (store.sharedIndexFile === null) return;
  const temporary = `${store.sharedIndexFile}.${process.pid}.new`;
  await copyFile(store.indexFile, temporary);
  await rename(temporary, store.sharedIndexFile);
}

/** Keeps a tree and everything in it from being collected as garbage. Git accepts a tree as a reference's target. */
export async function keepTree(store: Store, name: string, tree: string): Promise<void> {
  const file = join(store.gitDirectory, "refs", "snapshots", name);
  await mkdir(join(file, ".."), { recursive: true });
  await replaceFile(file, `${tree}\n`);
}

export async function releaseTree(store: Store, name: string): Promise<void> {
  await rm(join(store.gitDirectory, "refs", "snapshots", name), { recursive: true, force: true });
}

/** Bytes go in and come out as they are: no line ends, filters or encodings of the user's attributes apply. */
const attributes = "* -text -crlf -ident -filter -working-tree-encoding\n";
const configuration = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	symlinks = true
	autocrlf = false
	safecrlf = false
	hooksPath = /dev/null
	fsmonitor = false
	fsync = none
	compression = 1
	preloadIndex = true
	logAllRefUpdates = false
[gc]
	auto = 0
	packRefs = false
[index]
	version = 4
`;

async function prepareRepository(git: ShadowGit, directory: string): Promise<void> {
  const config = join(directory, "config");
  if ((await readFile(config, "utf8").catch(() => "")) === configuration) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await git.run(["init", "--quiet", "--template="]);
  await mkdir(join(directory, "info"), { recursive: true });
  await replaceFile(join(directory, "info", "attributes"), attributes);
  // Written last: its being there says that the rest is.
  await replaceFile(config, configuration);
}

/** Left behind by a git that was killed; one that is at work holds it for seconds at most. */
async function removeStaleLock(lock: string): Promise<void> {
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > 60_000) await rm(lock, { force: true });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
