import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { environmentAddress } from "./process-table.ts";

/**
 * Takes variables out of the environment of this process, and out of what the kernel shows of it to its user at
 * /proc/<pid>/environ: that is the memory in which the process was started, so it is overwritten. Tells whether nothing of
 * them is shown any more; systems without such a file, or that do not let a process write there, answer false.
 */
export function eraseVariables(names: ReadonlySet<string>): boolean {
  for (const name of names) delete process.env[name];
  try {
    const shown = readFileSync("/proc/self/environ");
    const start = environmentAddress(process.pid);
    if (start === undefined) return false;
    const memory = openSync("/proc/self/mem", "r+");
    try {
      for (const { at, length } of entriesOf(shown, names))
        writeSync(memory, Buffer.alloc(length), 0, length, start + at);
    } finally {
      closeSync(memory);
    }
    return entriesOf(readFileSync("/proc/self/environ"), names).length === 0;
  } catch {
    // There is no such file, or it is not for us: the caller says what that means.
    return false;
  }
}

function entriesOf(shown: Buffer, names: ReadonlySet<string>): { at: number; length: number }[] {
  const entries: { at: number; length: number }[] = [];
  for (let at = 0; at < shown.length; ) {
    const end = shown.indexOf(0, at);
    const length = (end < 0 ? shown.length : end) - at;
    const name = shown.toString("latin1", at, at + length).split("=", 1)[0] ?? "";
    if (names.has(name)) entries.push({ at, length });
    at += length + 1;
  }
  return entries;
}
