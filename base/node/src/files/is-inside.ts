import { sep } from "node:path";

/** With the separator: `/home/me/proj-evil` is not inside `/home/me/proj`. Both are absolute, and compared as they are. */
export function isInside(directory: string, target: string): boolean {
  if (target === directory) return true;
  return target.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
