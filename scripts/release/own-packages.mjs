/** Our own packages by their names, and what of them a released one has inside. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { manifestOf, packagesOf } from "../streets.mjs";

/** name → its folder in the repository and its manifest. */
export const ownPackages = new Map(
  packagesOf().map((room) => {
    const manifest = manifestOf(room);
    return [manifest.name, { room, manifest }];
  }),
);

/** The names of our packages that this one needs, directly or not. */
export function neededOf(name, found = new Set()) {
  for (const needed of Object.keys(ownPackages.get(name).manifest.dependencies ?? {})) {
    if (!ownPackages.has(needed) || found.has(needed)) continue;
    found.add(needed);
    neededOf(needed, found);
  }
  return found;
}

/** Where the files of a package go in the released one: its own at the top, those of others under `inside/`. */
export function placeOf(name, released) {
  return name === released ? "" : `inside/${name.replace("@muster/", "")}`;
}

/** The file behind `@muster/core` or `@muster/schema/wire`, in the repository; undefined for what is not ours. */
export function doorOf(specifier, kind) {
  const [scope, short, ...rest] = specifier.split("/");
  const found = ownPackages.get(`${scope}/${short}`);
  if (found === undefined) return undefined;
  const door = found.manifest.exports[rest.length === 0 ? "." : `./${rest.join("/")}`];
  const path = join(root, found.room, door[kind]);
  if (!existsSync(path)) throw new Error(`${specifier} has no ${path}: it is not built`);
  return path;
}
