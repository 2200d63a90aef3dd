import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootId } from "@muster/node";
import { endTree, killTreeNow, processIdentity } from "./process-tree.ts";

/**
 * The directory of one terminal: its command files, and the record of the process that owns them.
 * Whoever finds it after that process is gone may end what carries its mark and delete it.
 */
export interface OwnerDirectory {
  id: string;
  path: string;
  /** Which variable of a process carries the mark. */
  variable: string;
}

interface OwnerRecord {
  pid: number;
  start: string;
  boot: string;
}

/** Creates the directory; falls back to the temporary directory where `parent` cannot be written. */
export function createOwnerDirectory(parent: string, variable: string): OwnerDirectory {
  const id = randomBytes(12).toString("hex");
  let path = join(parent, id);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // The parent may be read-only; the terminal needs any directory of its own.
    path = mkdtempSync(join(tmpdir(), "terminal-"));
  }
  const record: OwnerRecord = {
    pid: process.pid,
    start: processIdentity(process.pid)?.startTime ?? "",
    boot: bootId(),
  };
  writeFileSync(join(path, recordName), JSON.stringify(record), { mode: 0o600 });
  const directory = { id, path, variable };
  if (living.size === 0) process.on("exit", endLiving);
  living.add(directory);
  return directory;
}

export function removeOwnerDirectory(directory: OwnerDirectory): void {
  rmSync(directory.path, { recursive: true, force: true });
  living.delete(directory);
  if (living.size === 0) process.off("exit", endLiving);
}

/** Ends what terminals of dead programs left running; returns how many such terminals there were. */
export async function endOrphans(parent: string, variable: string): Promise<number> {
  let ended = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!/^[0-9a-f]{24}$/.test(name)) continue;
    const path = join(parent, name);
    const record = readRecord(path);
    if (record === null || isAlive(record)) continue;
    const since = sameBoot(record) ? { since: record.start } : {};
    await endTree({ variable, mark: `${name}.`, ...since }, { graceMs: 500 });
    await rm(path, { recursive: true, force: true });
    ended++;
  }
  return ended;
}

const recordName = "owner.json";
const living = new Set<OwnerDirectory>();

/** The program ends without having closed its terminals: there is time for what needs no waiting. */
function endLiving(): void {
  const since = processIdentity(process.pid)?.startTime;
  for (const directory of [...living]) {
    killTreeNow({ variable: directory.variable, mark: `${directory.id}.`, ...(since === undefined ? {} : { since }) });
    removeOwnerDirectory(directory);
  }
}

/** Null for a directory whose record is not written yet: it is being created right now. */
function readRecord(path: string): OwnerRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(path, recordName), "utf8"));
    if (typeof value !== "object" || value === null) return null;
    const { pid, start, boot } = value as Partial<OwnerRecord>;
    if (typeof pid !== "number" || typeof start !== "string" || typeof boot !== "string") return null;
    return { pid, start, boot };
  } catch {
    // What cannot be read names no owner.
    return null;
  }
}

function isAlive(record: OwnerRecord): boolean {
  return sameBoot(record) && processIdentity(record.pid)?.startTime === record.start;
}

function sameBoot(record: OwnerRecord): boolean {
  return record.boot === bootId();
}
