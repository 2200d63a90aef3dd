/** What every npm package of ours has beside its code: a manifest without install scripts, a README, the licence. */
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../prepare.mjs";

export async function writeManifest({ folder, room, manifest }) {
  if (manifest.scripts !== undefined) throw new Error(`${manifest.name} would run scripts when it is installed`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  const readme = join(root, room, "README.md");
  if (!existsSync(readme)) throw new Error(`${room} has no README.md`);
  await cp(readme, join(folder, "README.md"));
  return manifest;
}
