import path from "node:path";

/**
 * A file system that the embedding program hands over in place of the disk. The functions are named and behave as in
 * `node:fs/promises`, which is one itself; paths are absolute.
 */
export interface FileSource {
  readFile(path: string): Promise<Uint8Array | string>;
  writeFile(path: string, content: Uint8Array): Promise<unknown>;
  readdir(path: string, options: { withFileTypes: true }): Promise<readonly SourceEntry[]>;
  /** Size and time tell whether a file has changed since it was read. */
  stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  unlink(path: string): Promise<unknown>;
}

interface SourceEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** Texts by path relative to the root, as a file system of their own. Edits change the map that was given. */
export function filesFromMap(root: string, files: Record<string, string>): FileSource {
  const times = new Map<string, number>();
  let clock = 0;
  const nameOf = (absolute: string) => path.posix.relative(root, absolute);
  const find = (absolute: string): string => {
    const text = Object.hasOwn(files, nameOf(absolute)) ? files[nameOf(absolute)] : undefined;
    if (text === undefined) throw Object.assign(new Error(`There is no file ${absolute}`), { code: "ENOENT" });
    return text;
  };
  return {
    readFile: async (absolute) => find(absolute),
    async writeFile(absolute, content) {
      files[nameOf(absolute)] = Buffer.from(content).toString("utf8");
      clock += 1;
      times.set(nameOf(absolute), clock);
    },
    async readdir(absolute) {
      const prefix = nameOf(absolute) === "" ? "" : `${nameOf(absolute)}/`;
      const below = Object.keys(files).filter((name) => name.startsWith(prefix));
      const kinds = new Map<string, boolean>();
      for (const name of below) {
        const [first = "", ...rest] = name.slice(prefix.length).split("/");
        kinds.set(first, rest.length > 0);
      }
      return [...kinds].map(([name, isDirectory]) => ({
        name,
        isFile: () => !isDirectory,
        isDirectory: () => isDirectory,
      }));
    },
    stat: async (absolute) => ({
      size: Buffer.byteLength(find(absolute)),
      mtimeMs: times.get(nameOf(absolute)) ?? 0,
    }),
    mkdir: async () => undefined,
    async unlink(absolute) {
      find(absolute);
      delete files[nameOf(absolute)];
    },
  };
}
