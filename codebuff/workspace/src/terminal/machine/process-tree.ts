import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Every process we start inherits this variable. Its value is `<terminal>.<shell>`, and a Codebuff that runs inside
 * another one's terminal appends its own after a colon. It finds what no parent or session id leads to any more.
 */
export const ownerVariable = "CODEBUFF_PROCESS";

export interface Owner {
  /** `<terminal>.<shell>` for one shell, `<terminal>.` for all of a terminal. */
  mark: string;
  /** Processes whose sessions and descendants count as owned even when they dropped their environment. */
  roots?: readonly ProcessIdentity[];
  /** Start of the oldest process that can carry the mark; spares reading the environment of all older ones. */
  since?: string;
}

/** A pid alone may be given to another process; with its start time it may not. */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

interface ProcessEntry extends ProcessIdentity {
  parent: number;
  session: number;
}

/** Ends everything the owner has, politely first, and resolves when it is gone. */
export async function endTree(owner: Owner, options: { graceMs: number; shell?: number }): Promise<void> {
  // A shell that goes on after its child was killed would run the rest of its command.
  if (options.shell !== undefined) send(options.shell, "SIGSTOP");
  const patience = Date.now() + options.graceMs;
  const askable = () => ownedProcesses(owner).filter((pid) => pid !== options.shell);
  for (let left = askable(); left.length > 0 && Date.now() < patience; left = askable()) {
    for (const pid of left) {
      send(pid, "SIGTERM");
      // A stopped process takes the signal only when it goes on.
      send(pid, "SIGCONT");
    }
    await untilGone(left, patience);
  }
  const giveUp = Date.now() + 2_000;
  for (let left = ownedProcesses(owner); left.length > 0 && Date.now() < giveUp; left = ownedProcesses(owner)) {
    for (const pid of left) send(pid, "SIGKILL");
    await untilGone(left, giveUp);
  }
}

/** The same without waiting, for the moment the program itself ends. */
export function killTreeNow(owner: Owner): void {
  for (let round = 0; round < 3; round++) {
    const left = ownedProcesses(owner);
    if (left.length === 0) return;
    for (const pid of left) send(pid, "SIGKILL");
  }
}

/** Living processes of the owner, parents before their children. */
export function ownedProcesses(owner: Owner): number[] {
  const entries = listProcesses();
  const roots = new Set<number>();
  for (const root of owner.roots ?? []) {
    if (entries.some((entry) => entry.pid === root.pid && entry.start === root.start)) roots.add(root.pid);
  }
  const others = entries.filter((entry) => entry.pid !== process.pid);
  const owned = new Set<number>();
  const since = Number(owner.since ?? 0);
  for (const { pid, session, start } of others) {
    if (roots.has(pid) || roots.has(session) || (Number(start) >= since && isMarked(pid, owner.mark))) owned.add(pid);
  }
  for (let before = -1; before !== owned.size; ) {
    before = owned.size;
    for (const { pid, parent } of others) if (owned.has(parent)) owned.add(pid);
  }
  return others.filter(({ pid }) => owned.has(pid)).map(({ pid }) => pid);
}

/** Null when the process is gone (a zombie counts as gone). */
export function processIdentity(pid: number): ProcessIdentity | null {
  const entry = process.platform === "linux" ? linuxEntry(pid) : listProcesses().find((one) => one.pid === pid);
  return entry ? { pid, start: entry.start } : null;
}

/** The value of `ownerVariable` for a child of this process. */
export function markFor(mark: string, environment: Record<string, string | undefined>): string {
  const outer = environment[ownerVariable];
  return outer ? `${outer}:${mark}` : mark;
}

/** Oldest first: a parent comes before its children. */
function listProcesses(): ProcessEntry[] {
  const entries = process.platform === "linux" ? linuxProcesses() : portableProcesses();
  return entries.sort((a, b) => Number(a.start) - Number(b.start) || a.pid - b.pid);
}

function linuxProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const entry = linuxEntry(Number(name));
    if (entry) entries.push(entry);
  }
  return entries;
}

function linuxEntry(pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may itself contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    return { pid, parent: Number(fields[1]), session: Number(fields[3]), start: fields[19] ?? "0" };
  } catch {
    // It ended between the listing and the look.
    return null;
  }
}

/** Without /proc there is no environment to read: parents and sessions must do. */
function portableProcesses(): ProcessEntry[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,sess=,state=,lstart="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  const entries: ProcessEntry[] = [];
  for (const line of list.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.+)$/.exec(line);
    if (match === null || match[4]?.startsWith("Z")) continue;
    const start = String(Date.parse(match[5] ?? "") || 0);
    entries.push({ pid: Number(match[1]), parent: Number(match[2]), session: Number(match[3]) || 0, start });
  }
  return entries;
}

function isMarked(pid: number, mark: string): boolean {
  if (process.platform !== "linux") return false;
  let environment: Buffer;
  try {
    environment = readFileSync(`/proc/${pid}/environ`);
  } catch {
    // Ended meanwhile, or of another user, so not ours.
    return false;
  }
  const at = environment.indexOf(`${ownerVariable}=`);
  if (at === -1) return false;
  const end = environment.indexOf(0, at);
  const value = environment.subarray(at + ownerVariable.length + 1, end === -1 ? undefined : end).toString("latin1");
  return value.split(":").some((one) => one === mark || (mark.endsWith(".") && one.startsWith(mark)));
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

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or no longer ours to signal.
  }
}
