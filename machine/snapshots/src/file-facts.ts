import type { Stats } from "node:fs";
import { join } from "node:path";
import { ancestors, look } from "./look.ts";

const filesPerTurn = 2000;

export interface FileFacts {
  /** Permissions git does not keep: of files neither 644 nor 755 and of directories not 755, under the umask. */
  modes: Record<string, number>;
  inodes: Set<number>;
  /**
   * Versions of all files and directories: as long as they stay, nothing has changed. Null where that cannot be said,
   * because something was changed while it was read or just before.
   */
  stamps: Map<string, string> | null;
}

export interface FactsWanted {
  paths: Iterable<string>;
  emptyDirectories: readonly string[];
  /** Directories that were looked into; null where some were not. */
  visited?: readonly string[] | null;
  umask?: number;
  /** When the files began to be read, in ms. */
  begun?: number;
}

/** File systems take their times from a clock that goes in steps of up to 10 ms. */
const clockTickMs = 12;

/** What git does not record of the files it records. Directories stand with a slash at their end. */
export async function factsOf(
  root: string,
  { paths, emptyDirectories, visited = null, umask = process.umask(), begun = 0 }: FactsWanted,
): Promise<FileFacts> {
  const facts = { modes: {} as Record<string, number>, inodes: new Set<number>(), stamps: new Map<string, string>() };
  const directories = new Set<string>();
  const { file, program, directory } = usualModes(umask);
  let isSure = visited !== null;
  const note = (path: string, stat: Stats) => {
    facts.stamps.set(path, shortStamp(stat));
    if (stat.ctimeMs >= begun - clockTickMs) isSure = false;
  };
  let looked = 0;
  for (const path of paths) {
    for (const above of ancestors(path)) directories.add(above);
    const stat = look(join(root, path));
    if (stat === undefined) {
      isSure = false;
      continue;
    }
    facts.inodes.add(stat.ino);
    note(path, stat);
    const mode = stat.mode & 0o7777;
    if (stat.isFile() && mode !== file && mode !== program) facts.modes[path] = mode;
    if (++looked % filesPerTurn === 0) await new Promise(setImmediate);
  }
  for (const path of emptyDirectories) for (const one of [...ancestors(path), path]) directories.add(one);
  for (const path of directories) {
    const stat = look(join(root, path));
    if (!stat?.isDirectory()) continue;
    facts.inodes.add(stat.ino);
    const mode = stat.mode & 0o7777;
    if (mode !== directory) facts.modes[`${path}/`] = mode;
  }
  for (const path of new Set([...directories, ...(visited ?? [])])) {
    const stat = look(join(root, path));
    if (stat === undefined) isSure = false;
    else note(path, stat);
  }
  return { ...facts, stamps: isSure ? facts.stamps : null };
}

/** Whether everything is as it was when the stamps were taken. */
export async function isUnchanged(root: string, stamps: ReadonlyMap<string, string>): Promise<boolean> {
  let looked = 0;
  for (const [path, stamp] of stamps) {
    const stat = look(join(root, path));
    if (stat === undefined || shortStamp(stat) !== stamp) return false;
    if (++looked % filesPerTurn === 0) await new Promise(setImmediate);
  }
  return true;
}

function shortStamp({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}

/** What git gives to what it writes. */
export function usualModes(umask = process.umask()): { file: number; program: number; directory: number } {
  return { file: 0o666 & ~umask, program: 0o777 & ~umask, directory: 0o777 & ~umask };
}
