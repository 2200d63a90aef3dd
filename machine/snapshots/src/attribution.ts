import type { WorkTreeState } from "./capture.ts";
import { compareStates } from "./plan.ts";
import type { Store } from "./store.ts";
import { combineTrees, type TreeChange } from "./trees.ts";

/**
 * Author of a change: this session's edit tools, a command of its shell, one of its hooks, another session of the
 * project, or the person, which is whoever is none of the others.
 */
export const authors = ["edit", "command", "hook", "session", "person"] as const;
export type Author = (typeof authors)[number];

/** Session authors are what this session made, and what its undo takes back. */
export function isOwn(author: Author): boolean {
  return author === "edit" || author === "command" || author === "hook";
}

export interface Attributed {
  /** What undo goes back to: the checkpoint, with what others changed since in files this session had not touched. */
  base: WorkTreeState;
  /** What this session has made of `base`, and nothing of anybody else. */
  after: WorkTreeState;
  /** Who changed a path, in order, each author once in a row. */
  by: Record<string, Author[]>;
}

/**
 * Attribution of what changed between two looks at a work tree: each path goes to the author that `whose` names, empty
 * directories and their permissions to `author`.
 */
export async function attribute(
  store: Store,
  known: Attributed,
  {
    seen,
    now,
    author: common,
    whose,
  }: { seen: WorkTreeState; now: WorkTreeState; author: Author; whose: (change: TreeChange) => Author },
): Promise<Attributed> {
  const changes = await compareStates(store, seen, now);
  const touched = new Set((await compareStates(store, known.base, known.after)).map(({ path }) => path));
  const by = { ...known.by };
  const own: TreeChange[] = [];
  const foreign: TreeChange[] = [];
  for (const change of changes) {
    const author = whose(change);
    const before = by[change.path] ?? [];
    if (before.at(-1) !== author) by[change.path] = [...before, author];
    if (isOwn(author)) own.push(change);
    // What others write over this session's own work stays a difference to `after`: undo would lose it and asks.
    else if (!touched.has(change.path)) foreign.push(change);
  }
  const directories = directoryChanges(seen, now);
  return {
    base: await advance(store, known.base, now, {
      changes: foreign,
      directories: isOwn(common) ? noDirectories : directories,
    }),
    after: await advance(store, known.after, now, { changes: [...own, ...foreign], directories }),
    by,
  };
}

interface DirectoryChanges {
  added: string[];
  removed: string[];
  /** Names of directories whose permissions differ, with their slash. */
  modes: string[];
}

const noDirectories: DirectoryChanges = { added: [], removed: [], modes: [] };

function directoryChanges(seen: WorkTreeState, now: WorkTreeState): DirectoryChanges {
  const before = new Set(seen.emptyDirectories);
  const after = new Set(now.emptyDirectories);
  const names = new Set([...Object.keys(seen.modes), ...Object.keys(now.modes)]);
  return {
    added: [...after].filter((path) => !before.has(path)),
    removed: [...before].filter((path) => !after.has(path)),
    modes: [...names].filter((name) => name.endsWith("/") && seen.modes[name] !== now.modes[name]),
  };
}

/** The state with some of its paths as they are now. */
async function advance(
  store: Store,
  state: WorkTreeState,
  now: WorkTreeState,
  { changes, directories }: { changes: readonly TreeChange[]; directories: DirectoryChanges },
): Promise<WorkTreeState> {
  const { added, removed, modes: named } = directories;
  if (changes.length + added.length + removed.length + named.length === 0) return { ...state, extras: now.extras };
  const isWhole = (await compareStates(store, state, now)).length === changes.length;
  const tree = isWhole ? now.tree : await combineTrees(store, state.tree, changes);
  const modes = { ...state.modes };
  for (const path of [...changes.map((change) => change.path), ...named]) {
    const { [path]: mode } = now.modes;
    if (mode === undefined) delete modes[path];
    else modes[path] = mode;
  }
  const gone = new Set(removed);
  const emptyDirectories = [...new Set([...state.emptyDirectories.filter((path) => !gone.has(path)), ...added])].sort();
  return { tree, modes, emptyDirectories, extras: now.extras };
}
