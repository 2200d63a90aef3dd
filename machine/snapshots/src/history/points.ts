import { z } from "zod";
import type { WorkTreeState } from "../capture.ts";
import { By } from "./author.ts";

/** Which paths belong to a snapshot: the rules that held, and what was closed to it. */
export const Ground = z.object({
  rules: z.string(),
  tracked: z.array(z.string()),
  nested: z.array(z.string()),
  skipped: z.array(z.string()),
});
export type Ground = z.infer<typeof Ground>;

export const PathChange = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  by: z.array(By),
});
export type PathChange = z.infer<typeof PathChange>;

export const MoveDone = z.object({
  token: z.string(),
  session: z.string(),
  to: z.int().nonnegative(),
  /** The move that this one took back. */
  undoes: z.string().nullable(),
  steps: z.array(z.object({ path: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  directories: z.object({
    removed: z.array(z.string()),
    made: z.array(z.string()),
    modes: z.array(z.object({ path: z.string(), from: z.int().nullable(), to: z.int() })),
    modesOfRemoved: z.array(z.object({ path: z.string(), mode: z.int() })),
  }),
});
export type MoveDone = z.infer<typeof MoveDone>;

/** One look at the work tree, as what differs from the look before. The first of a file differs from an empty tree. */
export const Point = z.object({
  n: z.int().positive(),
  time: z.iso.datetime(),
  kind: z.enum(["begin", "end", "look", "move"]),
  session: z.string().optional(),
  turn: z.int().nonnegative().optional(),
  tree: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** After the last file was looked at, in ms: what was made later was made after the look. */
  lookedAt: z.number(),
  changes: z.array(PathChange).default([]),
  modes: z.record(z.string(), z.int().nullable()).default({}),
  emptyAdded: z.array(z.string()).default([]),
  emptyRemoved: z.array(z.string()).default([]),
  inodesAdded: z.array(z.number()).default([]),
  inodesRemoved: z.array(z.number()).default([]),
  extras: z.array(z.string()).default([]),
  /** Left out where it is that of the look before. */
  ground: Ground.optional(),
  move: MoveDone.optional(),
});
export type Point = z.infer<typeof Point>;

/** Everything that is known of the work tree at one point. */
export interface Snapshot {
  n: number;
  state: WorkTreeState;
  /** Of everything that was recorded, to tell a renamed file of ours from one that was there and was not recorded. */
  inodes: Set<number>;
  ground: Ground;
  lookedAt: number;
}

/** The work tree after some points, of which the first differs from an empty tree. */
export function replay(points: readonly Point[]): Snapshot | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const modes: Record<string, number> = {};
  const empty = new Set<string>();
  const inodes = new Set<number>();
  let ground: Ground = { rules: "", tracked: [], nested: [], skipped: [] };
  for (const point of points) {
    for (const [path, mode] of Object.entries(point.modes)) {
      if (mode === null) delete modes[path];
      else modes[path] = mode;
    }
    for (const path of point.emptyRemoved) empty.delete(path);
    for (const path of point.emptyAdded) empty.add(path);
    for (const inode of point.inodesRemoved) inodes.delete(inode);
    for (const inode of point.inodesAdded) inodes.add(inode);
    ground = point.ground ?? ground;
  }
  const state = { tree: last.tree, modes, emptyDirectories: [...empty].sort(), extras: last.extras };
  return { n: last.n, state, inodes, ground, lookedAt: last.lookedAt };
}

/** What a point says beside the changes of paths. */
export function differenceOf(
  before: Snapshot | null,
  { state, inodes, ground }: Pick<Snapshot, "state" | "inodes" | "ground">,
): Pick<
  Point,
  "tree" | "modes" | "emptyAdded" | "emptyRemoved" | "inodesAdded" | "inodesRemoved" | "extras" | "ground"
> {
  const modes: Record<string, number | null> = {};
  for (const [path, mode] of Object.entries(state.modes)) if (before?.state.modes[path] !== mode) modes[path] = mode;
  for (const path of Object.keys(before?.state.modes ?? {})) if (state.modes[path] === undefined) modes[path] = null;
  const emptyBefore = new Set(before?.state.emptyDirectories);
  const emptyNow = new Set(state.emptyDirectories);
  const isSameGround = before !== null && isEqualGround(before.ground, ground);
  return {
    tree: state.tree,
    modes,
    emptyAdded: state.emptyDirectories.filter((path) => !emptyBefore.has(path)),
    emptyRemoved: [...emptyBefore].filter((path) => !emptyNow.has(path)),
    inodesAdded: [...inodes].filter((inode) => before?.inodes.has(inode) !== true),
    inodesRemoved: [...(before?.inodes ?? [])].filter((inode) => !inodes.has(inode)),
    extras: state.extras,
    ...(isSameGround ? {} : { ground }),
  };
}

export function isEqualGround(one: Ground, other: Ground): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
