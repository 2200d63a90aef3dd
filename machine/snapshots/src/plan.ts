import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { WorkTreeState } from "./capture.ts";
import { type Ground, unpackInodes } from "./ground.ts";
import { ancestors } from "./look.ts";
import type { Store } from "./store.ts";
import { combineTrees, compareTrees, type TreeChange } from "./trees.ts";

export interface States {
  current: WorkTreeState;
  from: WorkTreeState;
  to: WorkTreeState;
}

export interface Plan {
  changes: TreeChange[];
  /** Changed by somebody else since `from`, and in the way of the changes. */
  conflicts: string[];
  /** Would have to go, but were there at the checkpoint already: nobody has recorded them. */
  kept: string[];
  tree: string;
}

/** Only paths that differ between `from` and `to` are moved; one that is no longer as in `from` is a conflict. */
export async function planMove(
  store: Store,
  states: States,
  { ground, force }: { ground: Ground; force: boolean },
): Promise<Plan> {
  const { current, from, to } = states;
  const ours = await compareStates(store, from, to);
  const theirs = await compareStates(store, from, current);
  const missing = theirs.length === 0 ? ours : await compareStates(store, current, to);
  const touched = new Set(ours.map(({ path }) => path));
  const wanted = missing.filter(({ path }) => touched.has(path));
  const wasThere = predates(store.root, ground);
  const kept = wanted.filter(({ path, kind }) => kind === "deleted" && wasThere(path)).map(({ path }) => path);
  const keep = new Set(kept);
  const changes = wanted.filter(({ path }) => !keep.has(path));
  const moving = new Set(changes.map(({ path }) => path));
  const blocking = inTheWay(changes, theirs, moving);
  const conflicts = [...theirs.map(({ path }) => path).filter((path) => moving.has(path)), ...blocking];
  if (force) for (const path of blocking) changes.push({ path, kind: "deleted", entry: nothing });
  const whole = changes.length === missing.length;
  const tree = whole ? to.tree : await combineTrees(store, current.tree, changes);
  return { changes, conflicts: [...new Set(conflicts)].sort(), kept, tree };
}

/** Git's entry for a path that is not there. */
const nothing = `0 ${"0".repeat(40)}`;

export async function compareStates(store: Store, from: WorkTreeState, to: WorkTreeState): Promise<TreeChange[]> {
  const changes = await compareTrees(store, from.tree, to.tree);
  const named = new Set(changes.map(({ path }) => path));
  const modes = new Set([...Object.keys(from.modes), ...Object.keys(to.modes)]);
  const other = [...modes].filter(
    (path) => !path.endsWith("/") && !named.has(path) && from.modes[path] !== to.modes[path],
  );
  return [...changes, ...other.map((path): TreeChange => ({ path, kind: "changed", entry: null }))];
}

/**
 * Tells whether a file existed when the checkpoint was taken although it was not recorded then: an ignored one that got
 * another name since. A recorded one that got another name is known by its inode.
 */
export function predates(
  root: string,
  ground: { time: number; inodes: string | ReadonlySet<number> },
): (path: string) => boolean {
  let recorded: ReadonlySet<number> | undefined;
  return (path) => {
    try {
      const { ino, birthtimeMs } = lstatSync(join(root, path));
      // File systems that do not know when a file was made say 0.
      if (birthtimeMs <= 0 || birthtimeMs >= ground.time) return false;
      recorded ??= typeof ground.inodes === "string" ? unpackInodes(ground.inodes) : ground.inodes;
      return !recorded.has(ino);
    } catch {
      // Nothing is there that could be older.
      return false;
    }
  };
}

/** What somebody else has put above or below a name that has to become a file again. */
function inTheWay(
  changes: readonly TreeChange[],
  theirs: readonly TreeChange[],
  moving: ReadonlySet<string>,
): string[] {
  const coming = new Set(changes.filter(({ kind }) => kind === "added").map(({ path }) => path));
  const above = new Set([...coming].flatMap(ancestors));
  return theirs
    .filter(({ path, kind }) => kind !== "deleted" && !moving.has(path))
    .map(({ path }) => path)
    .filter((path) => above.has(path) || ancestors(path).some((one) => coming.has(one)));
}
