import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProgram } from "./find-on-path.ts";

/** A command of a package installed together with this one, as npm links it; undefined when there is none. */
export async function workspaceCommand(command: string): Promise<string | undefined> {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "node_modules", ".bin", command);
    if (await isProgram(path)) return path;
  }
  return undefined;
}
