import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { readRegular } from "@muster/adapters";
import { DirectoryInUse } from "./directory-in-use.ts";

interface Holder {
  pid: number;
  /** Kernel start time, so that another process with the same pid is not taken for the holder. */
  started: string | null;
  /** The file is only there for daemons up to 0.1 to see: who holds the directory, the kernel tells. */
  heldByKernel?: true;
}

/**
 * The lock of daemons up to 0.1, and of systems where the kernel cannot hold one for us: two starts at the same moment
 * can both win. A lock whose holder is dead is taken over. Returns the release.
 */
export async function takeLockFile(path: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid) } satisfies Holder);
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await createExclusively(path, mine)) return () => rm(path, { force: true });
    // Released between the two looks: try again.
    const theirs = await readRegular(path).then(String, () => undefined);
    if (theirs === undefined) continue;
    if (isAlive(theirs)) throw new DirectoryInUse(`The data directory is in use by process ${holderOf(theirs)?.pid}`);
    await removeStale(path, theirs);
  }
  throw new DirectoryInUse(`The lock ${path} is contended`);
}

/** Throws when a daemon of an earlier version holds the directory. */
export async function checkLockFile(path: string): Promise<void> {
  const content = await readRegular(path).then(String, () => "");
  if (holderOf(content)?.heldByKernel) return;
  if (isAlive(content)) throw new DirectoryInUse(`The data directory is in use by process ${holderOf(content)?.pid}`);
}

/** For daemons up to 0.1 to see. */
export async function showLockFile(path: string): Promise<void> {
  const holder: Holder = { pid: process.pid, started: startTime(process.pid), heldByKernel: true };
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
  // Whatever lies there: to write into a pipe would wait for its reader.
  await rename(draft, path).catch(async (error: unknown) => {
    await rm(draft, { force: true });
    throw error;
  });
}

async function createExclusively(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Moves the stale lock away before removing it: if another daemon was quicker, its lock is put back. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    // Another daemon has moved it away already.
    return;
  }
  if ((await readRegular(aside)).toString() === stale) await rm(aside, { force: true });
  else await rename(aside, path);
}

function isAlive(content: string): boolean {
  const holder = holderOf(content);
  if (!holder || holder.pid === process.pid) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return holder.started === null || holder.started === startTime(holder.pid);
}

function holderOf(content: string): Holder | undefined {
  try {
    const holder = JSON.parse(content) as Partial<Holder> | null;
    return Number.isInteger(holder?.pid) ? { pid: 0, started: null, ...holder } : undefined;
  } catch {
    // Half-written by a process that died, or nonsense: nobody holds it.
    return undefined;
  }
}

/** Field 22 of /proc/<pid>/stat; null where there is no /proc. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    // Not Linux, or the process is gone.
    return null;
  }
}
