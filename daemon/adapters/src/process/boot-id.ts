import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

let known: Promise<string> | undefined;

/** Changes with every start of the machine: pids and start times mean nothing across it. */
export function bootId(): Promise<string> {
  known ??= read();
  return known;
}

async function read(): Promise<string> {
  if (process.platform === "linux") return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
  const { stdout } = await promisify(execFile)("sysctl", ["-n", "kern.bootsessionuuid"]);
  return stdout.trim();
}
