import { randomBytes } from "node:crypto";
import { link, rename, unlink, writeFile } from "node:fs/promises";
import { readRegular } from "../files/regular-file.ts";
import { isProcessAlive, startTimeOf } from "../processes/process-table.ts";

/** Either the lock is ours, or this process has it; without a pid where several want it at the same moment. */
export type PidLock = { release(): Promise<void> } | { heldBy: number | undefined };

interface Holder {
  pid: number;
  /** So that another process with the same pid is not taken for the holder. */
  started?: string | undefined;
}

/** Takes the lock file at `path` for this process. One whose holder is dead, a zombie included, is taken over. */
export async function takePidLock(path: string): Promise<PidLock> {
  const mine = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const holder: Holder = { pid: process.pid, started: startTimeOf(process.pid) };
  await writeFile(mine, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        // A link is made whole or not at all: nobody ever reads a half-written lock.
        await link(mine, path);
        return { release: () => unlink(path).catch(() => undefined) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      // Released between the two looks: it is tried again.
      const content = await readRegular(path).then(String, () => undefined);
      if (content === undefined) continue;
      const other = holderIn(content);
      if (other !== undefined && isProcessAlive(other.pid, other.started)) return { heldBy: other.pid };
      await removeDead(path, content, mine);
    }
    return { heldBy: undefined };
  } finally {
    await unlink(mine).catch(() => undefined);
  }
}

/** Between reading and removing, another process may have taken the lock: then it is put back. */
async function removeDead(path: string, content: string, mine: string): Promise<void> {
  const aside = `${mine}.dead`;
  await rename(path, aside).catch(() => undefined);
  const moved = await readRegular(aside).then(String, () => undefined);
  if (moved !== undefined && moved !== content) await link(aside, path).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}

/** Undefined for what no process of ours wrote, or a crash left half-written: nobody holds that. */
function holderIn(content: string): Holder | undefined {
  try {
    const { pid, started } = Object(JSON.parse(content)) as Record<string, unknown>;
    if (!Number.isInteger(pid)) return undefined;
    return { pid: pid as number, started: typeof started === "string" ? started : undefined };
  } catch {
    // It is no JSON.
    return undefined;
  }
}
