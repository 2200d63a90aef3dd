import { join } from "node:path";
import { ancestors, look, readDirectory } from "../look.ts";
import { predates } from "../plan.ts";
import type { Store } from "../store.ts";
import { type By, type IsOwn, mergeAuthors } from "./author.ts";
import { type DirectorySteps, type FileStep, planDirectories } from "./directory-plan.ts";
import { compareEntries, type EntryChange, isDirectoryPath } from "./entries.ts";
import type { Snapshot } from "./points.ts";
import { judge, type Stories } from "./stories.ts";

/** A path that a move changes; a directory's ends with a slash. */
export interface Change {
  path: string;
  /** Its content or permissions come back; it goes; it comes back after it had gone. */
  change: "restored" | "removed" | "added";
  by: By[];
}

export interface Conflict {
  path: string;
  /** Who has changed it since, as far as is known. */
  by: By[];
  reason: "changed_since" | "in_the_way" | "unknown";
}

export interface MovePlan {
  steps: FileStep[];
  directories: DirectorySteps;
  changes: Change[];
  conflicts: Conflict[];
  /** There and not recorded at the point: they stay. */
  kept: string[];
}

export interface RewindQuestion {
  store: Store;
  isOwn: IsOwn;
  /** By the rules of `then`. */
  now: Snapshot;
  then: Snapshot;
  /** Of every path since `then`. */
  stories: Stories;
  force: ReadonlySet<string>;
  umask: number;
  /** Only these are looked at; left out, all are. */
  paths?: ReadonlySet<string>;
}

/**
 * What has to change so that everything a session has made since a point is taken back, and nothing of anybody else's. What
 * nobody is known to have made stays.
 */
export async function planRewind(question: RewindQuestion): Promise<MovePlan> {
  const { store, isOwn, now, then, stories, force, umask, paths } = question;
  const wasThere = predatesSnapshot(store.root, then);
  const steps: FileStep[] = [];
  const conflicts: Conflict[] = [];
  const kept: string[] = [];
  const differing = await compareEntries(store, { from: then.state, to: now.state, umask });
  for (const { path, before, after } of [...differing, ...unchangedPaths(differing, stories)]) {
    if (isDirectoryPath(path) || paths?.has(path) === false) continue;
    const story = stories.get(path) ?? [];
    if (story.length === 0) {
      if (before === null) kept.push(path);
      else if (!force.has(path)) conflicts.push({ path, by: [], reason: "unknown" });
      else steps.push({ path, from: after, to: before });
      continue;
    }
    const verdict = judge(before, story, isOwn);
    if (verdict === null || verdict.target === after) continue;
    if (verdict.target === null && wasThere(path)) kept.push(path);
    // A file that no snapshot had has taken this place; what it held then is nowhere else.
    else if (after !== null && wasThere(path) && !force.has(path)) {
      conflicts.push({ path, by: verdict.others, reason: "in_the_way" });
    } else if (verdict.isConflict && !force.has(path))
      conflicts.push({ path, by: verdict.others, reason: "changed_since" });
    else steps.push({ path, from: after, to: verdict.target });
  }
  conflicts.push(...findObstacles(store.root, steps, stories));
  const directories = await planDirectories({ store, steps, then, now, stories, isOwn, umask, wasThere });
  const changes = tellChanges({ steps, directories, stories });
  return { steps, directories, changes, conflicts: conflicts.sort(byPath), kept: kept.sort() };
}

/** Paths that are again what they were: what others had made of them in between may have been lost to the session. */
function unchangedPaths(differing: readonly EntryChange[], stories: Stories): EntryChange[] {
  const named = new Set(differing.map(({ path }) => path));
  return [...stories].flatMap(([path, story]) => {
    const last = story.at(-1);
    return last === undefined || named.has(path) ? [] : [{ path, before: last.after, after: last.after }];
  });
}

function tellChanges(parts: { steps: readonly FileStep[]; directories: DirectorySteps; stories: Stories }): Change[] {
  const { steps, directories, stories } = parts;
  const whose = (path: string) => mergeAuthors((stories.get(path) ?? []).map(({ by }) => by));
  const made = new Set(directories.made);
  const changes: Change[] = [
    ...steps.map(({ path, from, to }): Change => {
      return { path, change: to === null ? "removed" : from === null ? "added" : "restored", by: whose(path) };
    }),
    ...directories.removed.map((path): Change => ({ path: `${path}/`, change: "removed", by: whose(`${path}/`) })),
    ...directories.made.map((path): Change => ({ path: `${path}/`, change: "added", by: whose(`${path}/`) })),
    ...directories.modes
      .filter(({ path }) => !made.has(path))
      .map(({ path }): Change => ({ path: `${path}/`, change: "restored", by: whose(`${path}/`) })),
  ];
  return changes.sort(byPath);
}

/** What stands where a file has to come back and does not leave by itself. No snapshot may have it: it would be lost. */
function findObstacles(root: string, steps: readonly FileStep[], stories: Stories): Conflict[] {
  const leaving = new Set(steps.filter(({ to }) => to === null).map(({ path }) => path));
  const coming = new Set(steps.filter(({ to }) => to !== null).map(({ path }) => path));
  const found = new Set<string>();
  for (const { path, from, to } of steps) {
    if (to === null || from !== null) continue;
    // One is of this session and one of another: both come back, and there is room for one.
    for (const above of ancestors(path)) if (coming.has(above)) found.add(above);
    const first = ancestors(path).find((one) => look(join(root, one))?.isDirectory() === false) ?? path;
    const stat = look(join(root, first));
    if (stat === undefined || leaving.has(first)) continue;
    const foreign = stat.isDirectory() ? firstOtherFile(root, first, leaving) : first;
    if (foreign !== null) found.add(foreign);
  }
  return [...found].map((path) => {
    return { path, by: mergeAuthors((stories.get(path) ?? []).map(({ by }) => by)), reason: "in_the_way" };
  });
}

/** The first file below a directory that is not about to leave anyway. */
function firstOtherFile(root: string, directory: string, leaving: ReadonlySet<string>): string | null {
  for (const entry of readDirectory(join(root, directory))) {
    const path = `${directory}/${entry.name}`;
    const found = entry.isDirectory() ? firstOtherFile(root, path, leaving) : leaving.has(path) ? null : path;
    if (found !== null) return found;
  }
  return null;
}

function predatesSnapshot(root: string, then: Snapshot): (path: string) => boolean {
  return predates(root, { time: then.lookedAt, inodes: then.inodes });
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
