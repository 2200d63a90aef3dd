/** The JavaScript of a library and of those of our packages that it needs, as it was built; theirs lies under `inside/`. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "../prepare.mjs";
import { doorOf, ownPackages, placeOf } from "./own-packages.mjs";

export async function stageScripts({ name: released, inside, folder }) {
  for (const name of [released, ...inside]) {
    const { room } = ownPackages.get(name);
    for (const file of await scriptsOf(room)) {
      const target = join(placeOf(name, released), file);
      const text = await readFile(join(root, room, file), "utf8");
      await mkdir(join(folder, dirname(target)), { recursive: true });
      await writeFile(join(folder, target), withRelativeImports(text, target, released));
    }
  }
}

/** Only what was made of a source that is still there: a build leaves the files of removed ones behind. */
async function scriptsOf(room) {
  const dist = join(root, room, "dist");
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => relative(dist, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => name.endsWith(".js") && !/(^|\/)bundle\//.test(name))
    .filter((name) =>
      [".ts", ".tsx"].some((ending) => existsSync(join(root, room, "src", name.replace(/\.js$/, ending)))),
    )
    .map((name) => join("dist", name))
    .sort();
}

function withRelativeImports(text, target, released) {
  return text
    .replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n")
    .replaceAll(/(\bfrom |\bimport\(|\bimport )"(@muster\/[^"]+)"/g, (_, before, specifier) => {
      const [scope, short] = specifier.split("/");
      const name = `${scope}/${short}`;
      const inRoom = relative(join(root, ownPackages.get(name).room), doorOf(specifier, "default"));
      const to = relative(dirname(target), join(placeOf(name, released), inRoom));
      return `${before}"${to.startsWith(".") ? to : `./${to}`}"`;
    });
}
