import { readFileSync } from "node:fs";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";

/** Undefined while another process holds it. A lock whose process is gone is taken over. */
export async function lockFile(path: string): Promise<(() => Promise<void>) | undefined> {
  const lock = `${path}.lock`;
  const mine = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const me = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  await writeFile(mine, me, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        // A link is made whole or not at all: nobody ever reads a half-written lock.
        await link(mine, lock);
        return () => unlink(lock).catch(() => undefined);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const held = await readFile(lock, "utf8").catch(() => undefined);
        if (held === undefined) continue;
        if (isAlive(held)) return undefined;
        await removeDead(lock, held, mine);
      }
    }
    return undefined;
  } finally {
    await unlink(mine).catch(() => undefined);
  }
}

/** Between reading and removing, another process may have taken the lock: then it is put back. */
async function removeDead(lock: string, held: string, mine: string): Promise<void> {
  const aside = `${mine}.dead`;
  await rename(lock, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => undefined);
  if (moved !== undefined && moved !== held) await link(aside, lock).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}

function isAlive(held: string): boolean {
  let owner: { pid?: unknown; started?: unknown };
  try {
    owner = JSON.parse(held) as typeof owner;
  } catch {
    // What is no record of ours belongs to nobody who lives.
    return false;
  }
  if (typeof owner.pid !== "number") return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const started = startOf(owner.pid);
  return started === undefined || owner.started === undefined || started === owner.started;
}

/** Process ids are used again; on Linux the start time tells two of them apart. */
export function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // No such process, or no /proc.
    return undefined;
  }
}
