import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "smol-toml";
import { ImportError } from "./refusal.ts";

/** Writes the files of an imported task into a folder that is not there yet, so that nothing of the person's is overwritten. */
export async function writeTask(
  folder: string,
  { settings, files }: { settings: Record<string, unknown>; files: Readonly<Record<string, string>> },
): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new ImportError(`${folder} is there already`) : error;
  });
  const all = { "task.toml": `${stringify(settings)}\n`, ...files };
  for (const [name, text] of Object.entries(all)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
}

/** A name that is one folder, whatever the other format allows. */
export function folderName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "");
  if (name === "") throw new ImportError(`'${id}' cannot be the name of a folder`);
  return name;
}
