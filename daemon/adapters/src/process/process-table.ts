import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { lifeVariable } from "./child-environment.ts";

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Where `ps` is the source this is the group: it knows no sessions. */
  session: number;
  /** Together with the pid it names one process for ever; a reused pid has another one. */
  startTime: string;
  /**
   * The marker of the life it belongs to, read when first asked for: it costs more than all the rest. Always undefined
   * on systems without /proc, where nobody can see the environment of another process.
   */
  life(): string | undefined;
}

export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

const hasProc = process.platform === "linux";
let next: Promise<ProcessTable> | undefined;

/** The processes that are alive now (zombies are not). Calls of the same moment share one reading. */
export function readProcessTable(): Promise<ProcessTable> {
  next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    next = undefined;
    return hasProc ? readProc() : readPs();
  });
  return next;
}

/** The start time of one process; undefined when there is none. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (hasProc) return readStat(pid)?.startTime;
  return (await readPs()).get(pid)?.startTime;
}

// Synchronous on purpose: a file of /proc takes some 20 µs this way and several times that through the thread pool.
function readProc(): ProcessTable {
  const table = new Map<number, ProcessEntry>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readStat(pid);
    if (stat !== undefined) table.set(pid, { ...stat, life: once(() => readLife(pid)) });
  }
  return table;
}

function readStat(pid: number): Omit<ProcessEntry, "life"> | undefined {
  const text = readStatLine(pid);
  if (text === undefined) return undefined;
  // The name in parentheses may hold blanks and parentheses of its own.
  const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTime: rest[15] ?? "" };
}

const statLine = Buffer.allocUnsafe(4096);

/** A process may end at any moment of reading about it. */
function readStatLine(pid: number): string | undefined {
  try {
    const file = openSync(`/proc/${pid}/stat`, "r");
    try {
      return statLine.toString("latin1", 0, readSync(file, statLine));
    } finally {
      closeSync(file);
    }
  } catch {
    // It ended between the listing and the look.
    return undefined;
  }
}

const assignment = Buffer.from(`${lifeVariable}=`);

function readLife(pid: number): string | undefined {
  const environment = readIfThere(`/proc/${pid}/environ`);
  if (environment === undefined) return undefined;
  for (let at = environment.indexOf(assignment); at >= 0; at = environment.indexOf(assignment, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue;
    const end = environment.indexOf(0, at);
    return environment.toString("latin1", at + assignment.length, end < 0 ? environment.length : end);
  }
  return undefined;
}

/** Undefined also for the environment of somebody else's process. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

async function readPs(): Promise<ProcessTable> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,pgid=,stat=,lstart="], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const table = new Map<number, ProcessEntry>();
  for (const line of stdout.split("\n")) {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith("Z")) continue;
    const startTime = started.join(" ");
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
    table.set(numbers.pid, { ...numbers, startTime, life: () => undefined });
  }
  return table;
}
