import { readdirSync } from "node:fs";
import { join } from "node:path";
import { split } from "../capture.ts";
import { usualModes } from "../file-facts.ts";
import { ancestors, look, obstacleFinder, readDirectory } from "../look.ts";
import type { Store } from "../store.ts";
import { type IsOwn, isOnly } from "./author.ts";
import type { Snapshot } from "./points.ts";
import type { Stories } from "./stories.ts";

export interface FileStep {
  path: string;
  from: string | null;
  to: string | null;
}

export interface DirectorySteps {
  /** Innermost first. */
  removed: string[];
  /** Outermost first. */
  made: string[];
  modes: { path: string; from: number | null; to: number }[];
  /** For the way back. */
  modesOfRemoved: { path: string; mode: number }[];
}

export interface DirectoryQuestion {
  store: Store;
  steps: readonly FileStep[];
  then: Snapshot;
  now: Snapshot;
  stories: Stories;
  isOwn: IsOwn;
  umask: number;
  /** Was there at the point and not recorded. */
  wasThere: (path: string) => boolean;
}

/** Which directories have to go, come, or get other permissions, so that they are as at a point once files are moved. */
export async function planDirectories(question: DirectoryQuestion): Promise<DirectorySteps> {
  const { store, steps, then } = question;
  const leaving = new Set(steps.filter(({ to }) => to === null).map(({ path }) => path));
  const coming = new Set(steps.filter(({ to }) => to !== null).map(({ path }) => path));
  const obstacle = obstacleFinder(store.root);
  const isBlocked = (path: string) => {
    if ([...ancestors(path), path].some((one) => coming.has(one))) return true;
    // The first one tells: behind a link lies another place.
    const above = obstacle(path) ?? path;
    return look(join(store.root, above))?.isDirectory() === false && !leaving.has(above);
  };
  const wanted = then.state.emptyDirectories.filter(
    (path) => question.stories.has(`${path}/`) && !isOthers(question, path) && !isBlocked(path),
  );
  const needed = new Set([...[...coming].flatMap(ancestors), ...wanted.flatMap((path) => [...ancestors(path), path])]);
  const removed = await findRemoved(question, { leaving, coming, needed });
  const gone = new Set(removed);
  const isThere = (path: string) =>
    !gone.has(path) && obstacle(path) === null && look(join(store.root, path))?.isDirectory() === true;
  const made = [...needed].filter((path) => !isThere(path)).sort(byDepth);
  const modesOfRemoved = removed.map((path) => {
    return { path, mode: (look(join(store.root, path))?.mode ?? 0o755) & 0o7777 };
  });
  return { removed, made, modes: planModes(question, { made: new Set(made), isThere }), modesOfRemoved };
}

function planModes(
  question: DirectoryQuestion,
  { made, isThere }: { made: ReadonlySet<string>; isThere: (path: string) => boolean },
): DirectorySteps["modes"] {
  const { store, then, now, stories, umask } = question;
  const usual = usualModes(umask).directory;
  const modes: DirectorySteps["modes"] = [];
  for (const path of made) modes.push({ path, from: null, to: then.state.modes[`${path}/`] ?? usual });
  for (const name of new Set([...Object.keys(then.state.modes), ...Object.keys(now.state.modes)])) {
    const path = name.slice(0, -1);
    if (!name.endsWith("/") || made.has(path) || !stories.has(name) || isOthers(question, path)) continue;
    if (!isThere(path)) continue;
    const to = then.state.modes[name] ?? usual;
    const from = (look(join(store.root, path))?.mode ?? 0) & 0o7777;
    if (from !== to) modes.push({ path, from, to });
  }
  return modes;
}

/** Directories that came with the files that leave, and empty ones that the session has made. */
async function findRemoved(
  question: DirectoryQuestion,
  sets: { leaving: ReadonlySet<string>; coming: ReadonlySet<string>; needed: ReadonlySet<string> },
): Promise<string[]> {
  const { store, now, then, wasThere } = question;
  const { leaving, coming, needed } = sets;
  const emptyThen = new Set(then.state.emptyDirectories);
  const newlyEmpty = now.state.emptyDirectories.filter(
    (path) => !emptyThen.has(path) && question.stories.has(`${path}/`),
  );
  const obstacle = obstacleFinder(store.root);
  // Behind a link lies another place, which is nothing that this one replaces.
  const replaced = [...coming].filter((path) => {
    return obstacle(path) === null && look(join(store.root, path))?.isDirectory() === true;
  });
  const candidates = new Set([
    ...[...leaving].flatMap(ancestors),
    ...newlyEmpty.flatMap((path) => [...ancestors(path), path]),
    ...replaced.flatMap((path) => [path, ...directoriesBelow(store.root, path)]),
  ]);
  if (candidates.size === 0) return [];
  const thenDirectories = await directoriesOf(store, then);
  const removed = new Set<string>();
  for (const path of [...candidates].sort(byDepth).reverse()) {
    const isReplaced = [...ancestors(path), path].some((one) => coming.has(one));
    const stays = thenDirectories.has(path) || needed.has(path) || isOthers(question, path) || wasThere(path);
    if (stays && !isReplaced) continue;
    const entries = namesIn(join(store.root, path));
    if (entries?.every((name) => leaving.has(`${path}/${name}`) || removed.has(`${path}/${name}`)) === true)
      removed.add(path);
  }
  return [...removed];
}

/** Somebody else has made, removed or changed the directory since. */
function isOthers({ stories, isOwn }: DirectoryQuestion, path: string): boolean {
  const story = stories.get(`${path}/`);
  return story !== undefined && !story.every(({ by }) => isOnly(by, isOwn));
}

async function directoriesOf(store: Store, { state }: Snapshot): Promise<Set<string>> {
  const listed = split(await store.git.run(["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", state.tree]));
  return new Set([...listed, ...state.emptyDirectories.flatMap((path) => [...ancestors(path), path])]);
}

function directoriesBelow(root: string, directory: string): string[] {
  return readDirectory(join(root, directory)).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? [path, ...directoriesBelow(root, path)] : [];
  });
}

/** Undefined where no directory is, or none that may be read: such a one is left alone. */
function namesIn(directory: string): string[] | undefined {
  try {
    return readdirSync(directory);
  } catch {
    // Gone meanwhile, or closed to us.
    return undefined;
  }
}

function byDepth(one: string, other: string): number {
  return one.split("/").length - other.split("/").length || (one < other ? -1 : 1);
}
