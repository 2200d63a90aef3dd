import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../store.ts";
import type { PointLog } from "./point-log.ts";
import type { Point } from "./points.ts";
import type { SnapshotFinder } from "./snapshot-finder.ts";

export interface InheritWish {
  source: { store: Store; points: PointLog; finder: SnapshotFinder };
  target: { store: Store; points: PointLog };
  session: string;
  at: number;
  as: string;
}

/** Takes the points of a session up to the end of a turn over into the history of another directory, contents and all. */
export async function inheritPoints({ source, target, session, at, as }: InheritWish): Promise<void> {
  if (target.points.all.length > 0) throw new Error(`${target.store.root} has a history of its own already`);
  const last = source.finder.find({ session, turn: at }).n;
  const points = source.points.all.filter(({ n }) => n <= last);
  await packInto(target.store, { from: source.store, trees: points.map(({ tree }) => tree) });
  const refs = points.map(({ n, tree }) => `update refs/snapshots/points/${n} ${tree}\n`).join("");
  await target.store.git.run(["update-ref", "--stdin"], { input: refs });
  await target.points.seed(points.map((point) => renamed(point, { session, as })));
}

async function packInto(store: Store, { from, trees }: { from: Store; trees: readonly string[] }): Promise<void> {
  const pack = join(store.gitDirectory, "objects", "pack");
  await mkdir(pack, { recursive: true });
  const input = trees.map((tree) => `${tree}\n`).join("");
  const args = ["pack-objects", "--revs", "-q", join(store.gitDirectory, "objects", "pack", "pack")];
  await from.git.run(args, { input });
}

/** What the session has made before the fork is the fork's own; a place of a move is none of its. */
function renamed(point: Point, { session, as }: { session: string; as: string }): Point {
  return {
    ...point,
    session: point.session === session ? as : point.session,
    changes: point.changes.map((change) => ({
      ...change,
      by: change.by.map((by) => (by.session === session ? { ...by, session: as } : by)),
    })),
    move: undefined,
  };
}
