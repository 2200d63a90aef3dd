/** Links that a person made in node_modules, such as by `npm link`: npm takes away what no lock file names, and has no option not to. */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Does the work, then puts those links back that are gone or were replaced. */
export function keepLinks({ modules, lock, work }) {
  const links = linksOf(modules).filter(({ place }) => !lock.packages[`node_modules/${place}`]?.link);
  work();
  for (const { place, target } of links) {
    const path = join(modules, place);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
}

function linksOf(modules, scope = "") {
  return readdirSync(join(modules, scope)).flatMap((name) => {
    const place = join(scope, name);
    const path = join(modules, place);
    if (lstatSync(path).isSymbolicLink()) return [{ place, target: readlinkSync(path) }];
    return scope === "" && name.startsWith("@") ? linksOf(modules, name) : [];
  });
}
