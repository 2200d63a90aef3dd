import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

/** What stands under a name itself; undefined when there is nothing, also because a directory above it became a file. */
export function look(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    // Not there, or not to be looked at: the same to whoever compares trees.
    return undefined;
  }
}

/** The version of what is not there. */
export const absent = "none";

/** Version of what stands under a name: differs after every change of content, permissions or place. */
export function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs, mode } = lstatSync(file, { bigint: true });
    return `${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`;
  } catch {
    // Not there, or behind something that is no directory.
    return absent;
  }
}

export function readDirectory(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Gone since it was listed, or closed to us.
    return [];
  }
}

/** Finds the first name above a path inside the project that is no directory: git refuses to look behind a link. */
export function obstacleFinder(root: string): (path: string) => string | null {
  const known = new Map<string, string | null>([[".", null]]);
  const find = (directory: string): string | null => {
    const answer = known.get(directory);
    if (answer !== undefined) return answer;
    const above = find(dirname(directory));
    const stat = above === null ? look(join(root, directory)) : undefined;
    const found = above ?? (stat === undefined || stat.isDirectory() ? null : directory);
    known.set(directory, found);
    return found;
  };
  return (path) => find(dirname(path));
}

/** The names above a path, outermost first, without the path itself. */
export function ancestors(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
