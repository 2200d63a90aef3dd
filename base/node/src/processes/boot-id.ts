import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

let known: string | undefined;

/** Changes with every start of the machine: pids and start times mean nothing across it. */
export function bootId(): string {
  known ??= readBootId();
  return known;
}

function readBootId(): string {
  if (process.platform === "linux") return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  try {
    return execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    // The system does not tell: every start counts as the same.
    return "";
  }
}
