import { type FileSource, filesFromMap, type Spawn } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { SdkError } from "../sdk-error.ts";

export type CodebuffFileSystem = FileSource;
export type CodebuffSpawn = Spawn;

/** A value, a promise of it, or a function that makes it. A function that is the value itself is not called. */
export type Source<Value> =
  | Value
  | Promise<Value>
  | (Value extends (...args: never[]) => unknown ? never : () => Value | Promise<Value>);

/** Where a run finds files and processes when they are not this machine's. */
export interface Sources {
  /** The file system of the project in place of the disk; `node:fs/promises` is one. It wins over `projectFiles`. */
  fsSource?: Source<CodebuffFileSystem>;
  /** The whole project as path → text in place of the disk; edits change this map. */
  projectFiles?: Record<string, string>;
  /** Starts the commands of the terminal, each in a shell of its own. A virtual project has no terminal without it. */
  spawnSource?: Source<CodebuffSpawn>;
}

export function isVirtual({ fsSource, projectFiles }: Sources): boolean {
  return fsSource !== undefined || projectFiles !== undefined;
}

/** The files of a virtual project; undefined: those of the disk. Throws `bad_fs_source`. */
export async function findFiles({ fsSource, projectFiles }: Sources, root: string): Promise<FileSource | undefined> {
  if (fsSource === undefined) return projectFiles === undefined ? undefined : filesFromMap(root, projectFiles);
  const files = await settle("bad_fs_source", "fsSource", () =>
    typeof fsSource === "function" ? fsSource() : fsSource,
  );
  const missing = portFunctions.find((name) => typeof files?.[name] !== "function");
  if (missing !== undefined) throw new SdkError("bad_fs_source", `fsSource is a file system without ${missing}`);
  return files;
}

/** Throws `bad_spawn_source`. */
export async function findSpawn({ spawnSource }: Sources): Promise<Spawn | undefined> {
  if (spawnSource === undefined) return undefined;
  const spawn = await settle("bad_spawn_source", "spawnSource", () => spawnSource);
  if (typeof spawn !== "function") throw new SdkError("bad_spawn_source", "spawnSource is not a function");
  return spawn;
}

const portFunctions = ["readFile", "writeFile", "readdir", "stat", "mkdir", "unlink"] as const;

async function settle<Value>(code: string, name: string, make: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await make();
  } catch (error) {
    throw new SdkError(code, `${name} failed: ${messageOf(error)}`);
  }
}
