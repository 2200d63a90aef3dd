import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and those above it, for this user only. Node 20's own way of doing so never ends below /proc; this one throws. */
export function makeFolders(path: string): void {
  const failure = failureToMake(path);
  if (failure === undefined) return;
  if (failure.code !== "ENOENT") throw failure;
  makeFolders(dirname(path));
  const again = failureToMake(path);
  if (again !== undefined) throw again;
}

/** A folder that is there is as good as one that is made. */
function failureToMake(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    return isFolder(path) ? undefined : (error as NodeJS.ErrnoException);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever there is, it is no folder for us.
    return false;
  }
}
