import { setTimeout as delay } from "node:timers/promises";
import { type ProcessEntry, type ProcessIdentity, readProcessTableNow, sendSignal, startTimeOf } from "@muster/node";

/**
 * A mark that every process of an owner inherits in a variable. It finds what no parent or session id leads to any more. A
 * program that runs inside another one's terminal appends its own after a colon.
 */
export interface Mark {
  variable: string;
  /** `<terminal>.<shell>` for one shell, `<terminal>.` for all of a terminal. */
  mark: string;
}

export interface Owner extends Mark {
  /** Processes whose sessions and descendants count as owned even when they dropped their environment. */
  roots?: readonly ProcessIdentity[];
  /** Start of the oldest process that can carry the mark; spares reading the environment of all older ones. */
  since?: string;
}

/** Ends everything the owner has, politely first, and resolves when it is gone. */
export async function endTree(owner: Owner, options: { graceMs: number; shell?: number }): Promise<void> {
  // A shell that goes on after its child was killed would run the rest of its command.
  if (options.shell !== undefined) sendSignal(options.shell, "SIGSTOP");
  const patience = Date.now() + options.graceMs;
  const askable = () => ownedProcesses(owner).filter((pid) => pid !== options.shell);
  for (let left = askable(); left.length > 0 && Date.now() < patience; left = askable()) {
    for (const pid of left) {
      sendSignal(pid, "SIGTERM");
      // A stopped process takes the signal only when it goes on.
      sendSignal(pid, "SIGCONT");
    }
    await untilGone(left, patience);
  }
  const giveUp = Date.now() + 2_000;
  for (let left = ownedProcesses(owner); left.length > 0 && Date.now() < giveUp; left = ownedProcesses(owner)) {
    for (const pid of left) sendSignal(pid, "SIGKILL");
    await untilGone(left, giveUp);
  }
}

/** The same without waiting, for the moment the program itself ends. */
export function killTreeNow(owner: Owner): void {
  for (let round = 0; round < 3; round++) {
    const left = ownedProcesses(owner);
    if (left.length === 0) return;
    for (const pid of left) sendSignal(pid, "SIGKILL");
  }
}

/** Living processes of the owner, parents before their children. */
export function ownedProcesses(owner: Owner): number[] {
  const table = readProcessTableNow();
  const living = (owner.roots ?? []).filter(({ pid, startTime }) => table.get(pid)?.startTime === startTime);
  const roots = new Set(living.map(({ pid }) => pid));
  // Oldest first: a parent comes before its children.
  const others = [...table.values()]
    .filter((entry) => entry.pid !== process.pid)
    .sort((a, b) => Number(a.startTime) - Number(b.startTime) || a.pid - b.pid);
  const owned = new Set<number>();
  const since = Number(owner.since ?? 0);
  for (const entry of others) {
    const isOfRoot = roots.has(entry.pid) || roots.has(entry.sid);
    if (isOfRoot || (Number(entry.startTime) >= since && isMarked(entry, owner))) owned.add(entry.pid);
  }
  for (let before = -1; before !== owned.size; ) {
    before = owned.size;
    for (const { pid, parent } of others) if (owned.has(parent)) owned.add(pid);
  }
  return others.filter(({ pid }) => owned.has(pid)).map(({ pid }) => pid);
}

/** Null when the process is gone (a zombie counts as gone). */
export function processIdentity(pid: number): ProcessIdentity | null {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? null : { pid, startTime };
}

/** The value of the variable for a child of this process. */
export function markFor({ variable, mark }: Mark, environment: Record<string, string | undefined>): string {
  const outer = environment[variable];
  return outer ? `${outer}:${mark}` : mark;
}

function isMarked(entry: ProcessEntry, { variable, mark }: Mark): boolean {
  const value = entry.variable(variable);
  return value?.split(":").some((one) => one === mark || (mark.endsWith(".") && one.startsWith(mark))) ?? false;
}

/** Looks at these processes only: looking for all that are owned costs a hundred times as much. */
async function untilGone(pids: readonly number[], limit: number): Promise<void> {
  let left = pids;
  for (let pause = 1; Date.now() < limit; pause = Math.min(pause * 2, 20)) {
    await delay(pause);
    left = left.filter((pid) => processIdentity(pid) !== null);
    if (left.length === 0) return;
  }
}
