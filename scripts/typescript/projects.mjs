/** The references between TypeScript projects: what a package.json depends on of ours, and the list of all packages. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { manifestOf, packagesOf } from "../streets.mjs";

/** path → text of every tsconfig.json with references. */
export function projectFiles() {
  const folders = packagesOf();
  const byName = new Map(folders.map((folder) => [manifestOf(folder).name, folder]));
  const files = { "tsconfig.json": pretty({ files: [], references: folders.map((path) => ({ path })) }) };
  for (const folder of folders) {
    const path = join(folder, "tsconfig.json");
    if (!existsSync(join(root, path))) continue;
    const config = JSON.parse(readFileSync(join(root, path), "utf8"));
    const { dependencies = {}, peerDependencies = {} } = manifestOf(folder);
    const needed = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => byName.get(name) ?? []);
    const references = needed.map((other) => ({ path: `../../${other}` }));
    files[path] = pretty(references.length === 0 ? without(config) : { ...config, references });
  }
  return files;
}

function without({ references: _, ...config }) {
  return config;
}

/** As the formatter of this repository writes JSON: a list of texts stands on one line. */
function pretty(value) {
  const text = JSON.stringify(value, null, 2);
  return `${text.replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, list) => `[${list.replaceAll(/\n\s+/g, " ")}]`)}\n`;
}
