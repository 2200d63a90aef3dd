import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isProgram } from "../../process/find-on-path.ts";

/**
 * A command of a package installed together with this one, as npm links it; undefined when there is none. What another
 * package links under the same name is not it.
 */
export async function workspaceCommand(
  command: string,
  packageName: string,
  from = dirname(fileURLToPath(import.meta.url)),
): Promise<string | undefined> {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "node_modules", ".bin", command);
    if ((await isProgram(path)) && (await packageOf(await realpath(path))) === packageName) return path;
  }
  return undefined;
}

/** The name of the package a file lies in. */
async function packageOf(file: string): Promise<unknown> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { name?: unknown }).name;
  }
  return undefined;
}
