import { homedir } from "node:os";
import path from "node:path";
import { isInside } from "@muster/node";
import type { Location } from "../files/access/project.ts";

/** The person's own settings of this program: what stands there needs nobody's acceptance. */
const ownDirectories = [".codebuff", ".agents", ".claude"];

/**
 * Whether a file says what other programs run: anything of a repository's `.git`, which the person's next git reads, and
 * settings of this program where the home directory is the project. The names of disks may differ in case only.
 */
export function steersPrograms({ named, real }: Pick<Location, "named" | "real">, home = homedir()): boolean {
  const own = ownDirectories.map((name) => path.join(home, name));
  return [named, real].some(
    (file) => /(?:^|\/)\.git(?:\/|$)/i.test(file) || own.some((directory) => isInside(directory, file)),
  );
}
