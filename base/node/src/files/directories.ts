import { mkdirSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a directory and those above it, for this user only. Node 20's own way of doing so never ends below /proc; this one throws. */
export async function makeDirectories(path: string): Promise<void> {
  const failure = await failureToMake(path);
  if (failure === undefined) return;
  if (failure.code !== "ENOENT") throw failure;
  await makeDirectories(dirname(path));
  const again = await failureToMake(path);
  if (again !== undefined) throw again;
}

/** The same at once, for what is opened synchronously. */
export function makeDirectoriesNow(path: string): void {
  const failure = failureToMakeNow(path);
  if (failure === undefined) return;
  if (failure.code !== "ENOENT") throw failure;
  makeDirectoriesNow(dirname(path));
  const again = failureToMakeNow(path);
  if (again !== undefined) throw again;
}

/** Makes a directory with all above it; the names are on the disk when it resolves. */
export async function makeDurableDirectories(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let created = path; ; created = dirname(created)) {
    await syncDirectory(dirname(created));
    if (created === made || created === dirname(created)) return;
  }
}

/** Makes new and removed names of a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  let directory: FileHandle | undefined;
  try {
    directory = await open(path, "r");
    await directory.sync();
  } finally {
    await directory?.close();
  }
}

/** A directory that is there is as good as one that is made. */
async function failureToMake(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const there = await stat(path).catch(() => undefined);
    return there?.isDirectory() ? undefined : (error as NodeJS.ErrnoException);
  }
}

function failureToMakeNow(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    return isDirectory(path) ? undefined : (error as NodeJS.ErrnoException);
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever there is, it is no directory for us.
    return false;
  }
}
