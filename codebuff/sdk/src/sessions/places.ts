import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { takePidLock } from "@muster/node";
import { SdkError } from "../sdk-error.ts";

/** What is kept for a project outside of it: a readable name, and a hash so that two projects of one name stay apart. */
export function projectFolder(home: string, cwd: string): string {
  const real = realPath(cwd);
  const slug =
    basename(real)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "root";
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 12);
  return join(home, ".codebuff", "projects", `${slug}-${hash}`);
}

export function sessionsFolder(home: string, cwd: string): string {
  return join(projectFolder(home, cwd), "sessions");
}

/** Ids become file names. */
export function checkSessionId(id: string): string {
  if (/^(?!\.)[\w.-]{1,64}$/.test(id)) return id;
  throw new SdkError("bad_session_id", `Not a session id: ${JSON.stringify(id.slice(0, 80))}`);
}

export function sessionFile(folder: string, id: string): string {
  return join(folder, `${checkSessionId(id)}.jsonl`);
}

/** Images and other bytes of a session, each stored once under its hash. */
export function filesFolder(folder: string, id: string): string {
  return join(folder, `${checkSessionId(id)}.files`);
}

/** One writer per session, over all processes. */
export async function lockSession(folder: string, id: string): Promise<() => Promise<void>> {
  const lock = await takePidLock(`${sessionFile(folder, id)}.lock`);
  if ("release" in lock) return lock.release;
  const holder = lock.heldBy === undefined ? "another process" : `process ${lock.heldBy}`;
  throw new SdkError("session_busy", `Session ${id} is open in ${holder}`);
}

function realPath(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    // A project that is gone still has its sessions.
    return resolve(cwd);
  }
}
