import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../store.ts";
import type { PointLog } from "./point-log.ts";
import type { Point } from "./points.ts";

/** Packs what is loose, and drops the oldest points as long as all of them take more than they may. */
export async function collectHistory(
  store: Store,
  { points, mostBytes, dropped }: { points: PointLog; mostBytes: number; dropped: boolean },
): Promise<void> {
  await store.git.run(["pack-refs", "--all"]);
  if (dropped || (await packsOf(store)) > mostPacks) await repackAll(store);
  else await store.git.run(["repack", "-d", "-l", "-q"]);
  while ((await sizeOf(join(store.sessionDirectory, "..", ".."))) > mostBytes && points.all.length > 1) {
    const half = points.all[Math.ceil(points.all.length / 2)]?.n ?? points.lastN;
    await dropPoints(store, { points, isWanted: ({ n }) => n >= half });
    await repackAll(store);
  }
}

/** Drops the oldest points up to the first that is wanted. Their contents go with the next collection. */
export async function dropPoints(
  store: Store,
  { points, isWanted }: { points: PointLog; isWanted: (point: Point) => boolean },
): Promise<boolean> {
  const dropped = await points.drop(isWanted);
  if (dropped.length === 0) return false;
  const input = dropped.map(({ n }) => `delete refs/snapshots/points/${n}\n`).join("");
  await store.git.run(["update-ref", "--stdin"], { input });
  return true;
}

/** What a git that was killed has left half-made. */
export async function removeLeftovers(store: Store): Promise<void> {
  const { sessionDirectory, gitDirectory, indexFile } = store;
  await rm(join(sessionDirectory, "moving"), { recursive: true, force: true });
  await rm(join(sessionDirectory, "moving.index"), { force: true });
  for (const lock of [`${indexFile}.lock`, join(gitDirectory, "packed-refs.lock")]) await rm(lock, { force: true });
  for (const name of await readdir(sessionDirectory)) {
    if (name.endsWith(".tmp") || name.endsWith(".lock")) await rm(join(sessionDirectory, name), { force: true });
  }
  const objects = join(gitDirectory, "objects");
  for (const directory of await readdir(objects)) {
    for (const name of await readdir(join(objects, directory)).catch(() => [])) {
      if (/^\.?tmp[-_]/.test(name)) await rm(join(objects, directory, name), { recursive: true, force: true });
    }
  }
}

const mostPacks = 16;

async function repackAll(store: Store): Promise<void> {
  await store.git.run(["repack", "-a", "-d", "-l", "-q"]);
  await store.git.run(["prune", "--expire=now"]);
}

async function packsOf(store: Store): Promise<number> {
  const names = await readdir(join(store.gitDirectory, "objects", "pack")).catch(() => []);
  return names.filter((name) => name.endsWith(".pack")).length;
}

async function sizeOf(directory: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name);
    size += entry.isDirectory()
      ? await sizeOf(path)
      : await stat(path).then(
          (found) => found.size,
          () => 0,
        );
  }
  return size;
}
