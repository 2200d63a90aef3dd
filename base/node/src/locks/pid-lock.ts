import { randomBytes } from "node:crypto";
import { link, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@muster/core";
import { readRegular } from "../files/regular-file.ts";
import { isProcessAlive, startTimeOf } from "../processes/process-table.ts";

/** Either the lock is ours, or this process has it; without a pid where several want it at the same moment. */
export type PidLock = { release(): Promise<void> } | { heldBy: number | undefined };

interface Holder {
  pid: number;
  /** So that another process with the same pid is not taken for the holder. */
  started?: string | undefined;
}

/** How often a lock that others take over at the same moment is looked at again, and how long that waits. */
const mostLooks = 100;
const lookMs = 10;

/** Takes the lock file at `path` for this process. One whose holder is dead, a zombie included, is taken over. */
export async function takePidLock(path: string): Promise<PidLock> {
  const mine = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const holder: Holder = { pid: process.pid, started: startTimeOf(process.pid) };
  await writeFile(mine, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (let look = 0; look < mostLooks; look++) {
      try {
        // A link is made whole or not at all: nobody ever reads a half-written lock.
        await link(mine, path);
        return { release: () => unlink(path).catch(() => undefined) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const content = await contentOf(path);
      // Released between the two looks: it is tried again.
      if (content === undefined) continue;
      const other = holderIn(content);
      if (other !== undefined && isHolding(other)) return { heldBy: other.pid };
      if (!(await removeDead(path, content))) await sleep(lookMs);
    }
    return { heldBy: undefined };
  } finally {
    await unlink(mine).catch(() => undefined);
  }
}

/** A lock with our own pid and without our start time is one of a process before us, as in a container that begins at 1. */
function isHolding({ pid, started }: Holder): boolean {
  return isProcessAlive(pid, started) && !(pid === process.pid && started === undefined);
}

/**
 * Removes the lock of a dead holder; false while another process does. Only whoever holds the lock for that may: between
 * reading a dead lock and removing it another process may have removed it and taken the lock, and its lock must stay.
 */
async function removeDead(path: string, content: string): Promise<boolean> {
  const removal = await takePidLock(`${path}.removal`);
  if (!("release" in removal)) return false;
  try {
    if ((await contentOf(path)) === content) await unlink(path);
    return true;
  } finally {
    await removal.release();
  }
}

/** undefined where there is none any more. Throws for what is no file: nobody of ours made it, and it is not ours to remove. */
function contentOf(path: string): Promise<string | undefined> {
  return readRegular(path).then(String, (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Undefined for what no process of ours wrote, or a crash left half-written: nobody holds that. */
function holderIn(content: string): Holder | undefined {
  const { pid, started } = Object(parseJson(content)) as Record<string, unknown>;
  // Zero and below are groups, and no process ever holds a lock as one.
  if (!Number.isInteger(pid) || Number(pid) <= 0) return undefined;
  return { pid: pid as number, started: typeof started === "string" ? started : undefined };
}
