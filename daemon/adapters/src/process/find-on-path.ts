import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The first program of this name that could be run, as a shell would find it. */
export async function findOnPath(command: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  // A relative entry would make the result depend on where the daemon was started.
  for (const folder of (env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    const path = join(folder, command);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not to be run: a search goes on either way.
    return false;
  }
}
