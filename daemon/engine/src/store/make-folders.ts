import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and those above it, for this user only. Node 20's own way of doing so never ends below /proc; this one throws. */
export async function makeFolders(path: string): Promise<void> {
  const failure = await failureToMake(path);
  if (failure === undefined) return;
  if (failure.code !== "ENOENT") throw failure;
  await makeFolders(dirname(path));
  const again = await failureToMake(path);
  if (again !== undefined) throw again;
}

/** A folder that is there is as good as one that is made. */
async function failureToMake(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const there = await stat(path).catch(() => undefined);
    return there?.isDirectory() ? undefined : (error as NodeJS.ErrnoException);
  }
}
