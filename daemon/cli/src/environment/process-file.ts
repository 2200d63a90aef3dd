import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isProcessAlive, type ProcessIdentity, replaceFile, startTimeOf } from "@muster/node";

/** In the data directory: which process serves it, for `status` and `stop`. */
const processFile = "process.json";

/** Written by `serve` only: a daemon inside another command ends with that. Best effort, like the file of its address. */
export async function writeProcessFile(dataDirectory: string): Promise<void> {
  const own = { pid: process.pid, startTime: startTimeOf(process.pid) ?? "" };
  await replaceFile(join(dataDirectory, processFile), `${JSON.stringify(own)}\n`).catch(() => undefined);
}

export async function removeProcessFile(dataDirectory: string): Promise<void> {
  await rm(join(dataDirectory, processFile), { force: true }).catch(() => undefined);
}

/** The process that serves this directory now; its start time tells it from another one with the same number. */
export function servingProcess(dataDirectory: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(join(dataDirectory, processFile), "utf8"));
    const isKnown = Number.isInteger(pid) && pid > 0 && typeof startTime === "string" && startTime !== "";
    return isKnown && isProcessAlive(pid, startTime) ? { pid, startTime } : undefined;
  } catch {
    // No daemon has written one, or not to its end.
    return undefined;
  }
}
