/** The streets of the house: every package is `<street>/<package>`. Workspaces, TypeScript, tests, release and the import table read this list. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Streets whose packages npm links and `tsc -b` builds. */
export const streets = ["base", "machine", "models", "web", "daemon", "hub", "codebuff", "testing"];
/** Streets whose packages install for themselves: `integrations/` needs a newer Node than the products. */
export const separateStreets = ["integrations"];

/** The folders of all packages of these streets, such as `daemon/engine`. */
export function packagesOf(names = streets) {
  return names.flatMap((street) => {
    const folder = join(root, street);
    if (!existsSync(folder)) return [];
    const packages = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
    return packages.map((name) => `${street}/${name}`);
  });
}

/** The package.json of a package. */
export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}
