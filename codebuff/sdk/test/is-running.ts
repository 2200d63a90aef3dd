import { readFileSync } from "node:fs";

/** A process that has ended and whose parent has not looked yet is not running. */
export function isRunning(pid: number | string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
