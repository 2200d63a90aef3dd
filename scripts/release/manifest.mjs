/** What every npm package of ours has beside its code: a manifest without install scripts, a README, what is new, the licence. */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { projectFields, withAbsoluteLinks } from "./project.mjs";

export async function writeManifest({ folder, room, manifest }) {
  if (manifest.scripts !== undefined) throw new Error(`${manifest.name} would run scripts when it is installed`);
  await mkdir(folder, { recursive: true });
  const whole = { ...manifest, ...projectFields(room) };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(whole, null, 2)}\n`);
  for (const file of ["LICENSE", "CHANGELOG.md"]) await cp(join(root, file), join(folder, file));
  const readme = join(root, room, "README.md");
  if (!existsSync(readme)) throw new Error(`${room} has no README.md`);
  const text = withAbsoluteLinks(await readFile(readme, "utf8"), { room, version: manifest.version });
  await writeFile(join(folder, "README.md"), text);
  return manifest;
}
