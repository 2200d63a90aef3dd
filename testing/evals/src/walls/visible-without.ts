import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@muster/node";

/**
 * The paths that show everything below `folder` but `hidden`: the neighbours of `hidden` on each level between the two,
 * because a path that is shown shows all that is below it.
 */
export function visibleWithout(folder: string, hidden: string): string[] {
  if (!isInside(folder, hidden)) return [folder];
  if (folder === hidden) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return isInside(path, hidden) ? visibleWithout(path, hidden) : [path];
  });
}
