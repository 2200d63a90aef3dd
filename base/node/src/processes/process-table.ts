import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

/** A pid alone may be given to another process; with its start time it names one process for ever. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  parent: number;
  group: number;
  /** The id that setsid gave it and what it started. Where `ps` is the source this is the group. */
  sid: number;
  /**
   * A variable of its environment, read when first asked for: it costs more than all the rest. Always undefined on
   * systems without /proc, where nobody can see the environment of another process.
   */
  variable(name: string): string | undefined;
  /** Whether its environment can be seen: not that of another user's process, and none without /proc. */
  hasEnvironment(): boolean;
}

export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

const hasProc = process.platform === "linux";
let next: Promise<ProcessTable> | undefined;

/** The processes that are alive now (zombies are not). Calls of the same moment share one reading. */
export function readProcessTable(): Promise<ProcessTable> {
  next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    next = undefined;
    return readProcessTableNow();
  });
  return next;
}

/** The same at once, for the moment the program itself ends. */
export function readProcessTableNow(): ProcessTable {
  return hasProc ? readProc() : readPs([]);
}

/** The start time of one process; undefined when there is none, or only a zombie. */
export function startTimeOf(pid: number): string | undefined {
  return hasProc ? readStat(pid)?.startTime : readPs(["-p", String(pid)]).get(pid)?.startTime;
}

/** Whether this very process lives. Without a start time any process with its pid counts. A zombie is dead. */
export function isProcessAlive(pid: number, startTime: string | undefined): boolean {
  const found = startTimeOf(pid);
  return found !== undefined && (startTime === undefined || found === startTime);
}

// Synchronous on purpose: a file of /proc takes some 20 µs this way and several times that through the thread pool.
function readProc(): ProcessTable {
  const table = new Map<number, ProcessEntry>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readStat(pid);
    if (stat !== undefined) table.set(pid, { ...stat, ...environmentReader(pid) });
  }
  return table;
}

function readStat(pid: number): Omit<ProcessEntry, "variable" | "hasEnvironment"> | undefined {
  const text = readStatLine(pid);
  if (text === undefined) return undefined;
  // The name in parentheses may hold blanks and parentheses of its own.
  const [state, parent, group, sid, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), sid: Number(sid), startTime: rest[15] ?? "" };
}

/** Where in its memory a process was given its environment (`env_start` of proc(5)); undefined where nobody tells. */
export function environmentAddress(pid: number): number | undefined {
  const text = hasProc ? readStatLine(pid) : undefined;
  const address = Number(text?.slice(text.lastIndexOf(")") + 2).split(" ")[47]);
  return Number.isSafeInteger(address) && address > 0 ? address : undefined;
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

function environmentReader(pid: number): Pick<ProcessEntry, "variable" | "hasEnvironment"> {
  let known: { bytes: Buffer | undefined } | undefined;
  const read = () => {
    known ??= { bytes: readIfThere(`/proc/${pid}/environ`) };
    return known.bytes;
  };
  return {
    variable(name) {
      const bytes = read();
      return bytes && variableIn(bytes, Buffer.from(`${name}=`));
    },
    hasEnvironment: () => (read()?.length ?? 0) > 0,
  };
}

function variableIn(environment: Buffer, assignment: Buffer): string | undefined {
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
    // Ended meanwhile, or of another user.
    return undefined;
  }
}

function readPs(which: readonly string[]): ProcessTable {
  const table = new Map<number, ProcessEntry>();
  for (const line of psLines(which)) {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith("Z")) continue;
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), sid: Number(group) };
    const startTime = String(Date.parse(started.join(" ")) || 0);
    table.set(numbers.pid, { ...numbers, startTime, variable: () => undefined, hasEnvironment: () => false });
  }
  return table;
}

function psLines(which: readonly string[]): string[] {
  const columns = "pid=,ppid=,pgid=,stat=,lstart=";
  try {
    const options = { encoding: "utf8", env: { ...process.env, LC_ALL: "C" }, maxBuffer: 16 * 1024 * 1024 } as const;
    return execFileSync("ps", which.length > 0 ? [...which, "-o", columns] : ["-axo", columns], options).split("\n");
  } catch (error) {
    // `ps -p` of a process that is gone ends with 1.
    if (which.length > 0) return [];
    throw error;
  }
}
