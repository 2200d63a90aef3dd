import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

/** A place where a planted key was seen. */
export interface Sighting {
  where: string;
  key: string;
}

const chunkBytes = 4 * 1024 * 1024;
const pageBytes = 4096;

/** Every planted key in what the kernel shows of a process: environment, command line, open files, memory. */
export function keysInProcess(pid: number, keys: readonly string[]): Sighting[] {
  const seen: Sighting[] = [];
  for (const name of ["environ", "cmdline"])
    seen.push(...keysIn(`${pid} ${name}`, contentOf(`/proc/${pid}/${name}`), keys));
  for (const fd of namesIn(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${fd}`;
    if (isFile(path)) seen.push(...keysIn(`${pid} fd ${fd}`, contentOf(path), keys));
  }
  return [...seen, ...keysInMemory(pid, keys)];
}

/** Every planted key in the files of a folder. */
export function keysInFiles(folder: string, keys: readonly string[]): Sighting[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const path = join(folder, name);
    return isFile(path) ? keysIn(path, contentOf(path), keys) : [];
  });
}

/** In every planted key and nowhere else: one look for it spares a look for each key. */
export const mark = "planted-";

export function keysIn(where: string, content: Buffer | string, keys: readonly string[]): Sighting[] {
  if (!content.includes(mark)) return [];
  return keys.flatMap((key) => (content.includes(key) ? [{ where, key }] : []));
}

/** How many bytes of the process's memory can be read here; none without the right to do so. */
export function readableMemory(pid: number): number {
  let bytes = 0;
  for (const chunk of memoryOf(pid)) bytes += chunk.length;
  return bytes;
}

function keysInMemory(pid: number, keys: readonly string[]): Sighting[] {
  const found = new Set<string>();
  for (const chunk of memoryOf(pid)) for (const { key } of keysIn("", chunk, keys)) found.add(key);
  return [...found].map((key) => ({ where: `${pid} memory`, key }));
}

/** The pages that are there, in pieces; a key across the edge of two regions of memory would not be one string. */
function* memoryOf(pid: number): Generator<Buffer> {
  let memory: number;
  let pages: number;
  try {
    memory = openSync(`/proc/${pid}/mem`, "r");
    pages = openSync(`/proc/${pid}/pagemap`, "r");
  } catch {
    // It has ended, or is not ours to look into.
    return;
  }
  try {
    for (const line of contentOf(`/proc/${pid}/maps`).toString().split("\n")) {
      const [, from = "0", to = "0"] = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line) ?? [];
      if (from === "0" || line.includes("[vvar]") || line.includes("[vsyscall]")) continue;
      yield* presentPages({ memory, pages }, Number.parseInt(from, 16), Number.parseInt(to, 16));
    }
  } finally {
    closeSync(memory);
    closeSync(pages);
  }
}

function* presentPages(files: { memory: number; pages: number }, from: number, to: number): Generator<Buffer> {
  const entries = Buffer.alloc((chunkBytes / pageBytes) * 8);
  for (let start = from; start < to; start += chunkBytes) {
    const count = Math.min(chunkBytes, to - start) / pageBytes;
    const read = tryRead(files.pages, entries, count * 8, (start / pageBytes) * 8);
    let first: number | undefined;
    for (let page = 0; page <= count; page++) {
      // The two highest bits: in memory, or swapped out.
      const isThere = page < count && page * 8 + 8 <= read && (entries[page * 8 + 7] ?? 0) >= 0x40;
      if (isThere) first ??= page;
      else if (first !== undefined) {
        const buffer = Buffer.alloc((page - first) * pageBytes);
        const length = tryRead(files.memory, buffer, buffer.length, start + first * pageBytes);
        yield buffer.subarray(0, length);
        first = undefined;
      }
    }
  }
}

function tryRead(file: number, buffer: Buffer, length: number, position: number): number {
  try {
    return readSync(file, buffer, 0, length, position);
  } catch {
    // A region that came or went meanwhile.
    return 0;
  }
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    // It has ended, or the file was for its eyes only.
    return Buffer.alloc(0);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
