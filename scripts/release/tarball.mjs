/** A tarball whose bytes depend on nothing but the names and contents of the files. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { c } from "tar";

/** Packs `folder/package` as npm does, every file with the time of the commit. */
export async function packFolder({ folder, file, time }) {
  const names = await filesIn(join(folder, "package"));
  const sorted = names.map((name) => relative(folder, name)).sort();
  await c({ cwd: folder, file, gzip: { level: 9 }, portable: true, mtime: time, noDirRecurse: true }, sorted);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
