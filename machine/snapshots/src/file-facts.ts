import { join } from "node:path";
import { ancestors, look } from "./look.ts";

const filesPerTurn = 2000;

export interface FileFacts {
  /** Permissions git does not keep: of files neither 644 nor 755 and of directories not 755, under the umask. */
  modes: Record<string, number>;
  inodes: Set<number>;
}

/** What git does not record of the files it records. Directories stand with a slash at their end. */
export async function factsOf(
  root: string,
  paths: Iterable<string>,
  emptyDirectories: readonly string[],
  umask = process.umask(),
): Promise<FileFacts> {
  const facts: FileFacts = { modes: {}, inodes: new Set() };
  const directories = new Set<string>();
  const { file, program, directory } = usualModes(umask);
  let looked = 0;
  for (const path of paths) {
    for (const above of ancestors(path)) directories.add(above);
    const stat = look(join(root, path));
    if (stat === undefined) continue;
    facts.inodes.add(stat.ino);
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
  return facts;
}

/** What git gives to what it writes. */
export function usualModes(umask = process.umask()): { file: number; program: number; directory: number } {
  return { file: 0o666 & ~umask, program: 0o777 & ~umask, directory: 0o777 & ~umask };
}
