import { statSync } from "node:fs";
import { isAbsolute } from "node:path";

/** True for the absolute path of a directory that exists. */
export function isDirectory(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    // Not there, or not ours to see.
    return false;
  }
}
