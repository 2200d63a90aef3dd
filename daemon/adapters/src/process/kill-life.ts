import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessEntry, type ProcessTable, readProcessTable, sendSignal } from "@muster/node";
import { lifeVariable } from "./child-environment.ts";

/** One life as the process table knows it. */
export interface LifeTrace {
  marker: string;
  root?: { pid: number; startTime: string } | undefined;
}

/** pid → start time of processes seen as members earlier. Their parents may be gone, they themselves not. */
export type SeenMembers = Map<number, string>;

/**
 * Kills every process of a life and resolves with their pids once none is left; rejects when some outlive `withinMs`.
 * Reads the process table once when nothing is alive.
 */
export async function killLife(
  life: LifeTrace,
  { seen = new Map(), withinMs = 5_000 }: { seen?: SeenMembers; withinMs?: number } = {},
): Promise<number[]> {
  const deadline = Date.now() + withinMs;
  const killed = new Set<number>();
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    const members = membersOf(life, await readProcessTable(), seen);
    if (members.length === 0) return [...killed];
    if (Date.now() > deadline) throw new Error(`Processes ${pidsOf(members)} of life ${life.marker} survive SIGKILL`);
    for (const { pid, startTime } of members) {
      seen.set(pid, startTime);
      killed.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    await sleep(pause);
  }
}

/** Remembers who belongs to a life while its root still holds the tree together. */
export async function noteMembers(life: LifeTrace, seen: SeenMembers): Promise<void> {
  for (const { pid, startTime } of membersOf(life, await readProcessTable(), seen)) seen.set(pid, startTime);
}

/**
 * Marked, the root itself, its process group and session while it lives (a reused number would name strangers), seen
 * earlier, or descending from one of these. Never this process or one it descends from.
 */
function membersOf(life: LifeTrace, table: ProcessTable, seen: SeenMembers): ProcessEntry[] {
  const { marker, root } = life;
  const rootLives = root !== undefined && table.get(root.pid)?.startTime === root.startTime;
  const members = new Map<number, ProcessEntry>();
  for (const entry of table.values()) {
    const ofRoot = rootLives && (entry.pid === root.pid || entry.group === root.pid || entry.sid === root.pid);
    const wasSeen = seen.get(entry.pid) === entry.startTime;
    if (ofRoot || wasSeen || (isYounger(entry, root) && entry.variable(lifeVariable) === marker))
      members.set(entry.pid, entry);
  }
  if (members.size === 0) return [];
  for (let before = 0; before !== members.size; ) {
    before = members.size;
    for (const entry of table.values()) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  for (let pid: number | undefined = process.pid; pid !== undefined && pid > 0; pid = table.get(pid)?.parent) {
    members.delete(pid);
  }
  return [...members.values()];
}

/** Nobody carries a marker from before it was made. Saves reading the environment of every process there is. */
function isYounger(entry: ProcessEntry, root: LifeTrace["root"]): boolean {
  return root === undefined || Number(entry.startTime) >= Number(root.startTime);
}

function pidsOf(members: readonly ProcessEntry[]): string {
  return members.map((member) => member.pid).join(", ");
}
