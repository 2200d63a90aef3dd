import { setTimeout as sleep } from "node:timers/promises";
import { readProcessTable } from "@muster/node";

export async function isAlive(pid: number): Promise<boolean> {
  return (await readProcessTable()).has(pid);
}

/** Polls, because no event tells of the death of a process that is not ours. */
export async function hasDied(pid: number): Promise<void> {
  while (await isAlive(pid)) await sleep(10);
}
