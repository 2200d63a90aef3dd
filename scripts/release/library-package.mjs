/** The npm package of a library: JavaScript and types, and inside it those of our packages that it needs. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "../prepare.mjs";
import { manifestOf, packagesOf } from "../streets.mjs";
import { stageInlineServer } from "./inline-server.mjs";
import { writeManifest } from "./manifest.mjs";

/** What a library of the repository finds beside it and a released one has inside, as a bundle that needs nothing else. */
const bundles = { "@muster/server": stageInlineServer };

export const libraries = ["daemon/schema", "daemon/client", "codebuff/sdk"];

/** Fills `folder` with the package; resolves with its manifest. */
export async function stageLibrary(room, folder) {
  const rooms = roomsOfOurs();
  const own = manifestOf(room);
  const inside = insideOf(own.name, rooms);
  await stageRoom(room, folder);
  for (const name of inside) {
    const target = join(folder, "node_modules", name);
    await stageRoom(rooms.get(name).room, target);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, "package.json"), `${JSON.stringify(published(rooms.get(name).own), null, 2)}\n`);
  }
  const dependencies = Object.assign({}, ...[...inside].map((name) => rooms.get(name).own.dependencies ?? {}));
  const bundled = Object.entries(own.peerDependencies ?? {}).filter(([name]) => Object.hasOwn(bundles, name));
  for (const [name, version] of bundled) {
    await bundles[name](join(folder, "node_modules", name), { name, version, license: own.license });
    inside.add(name);
  }
  const needed = { ...dependencies, ...own.dependencies, ...Object.fromEntries(bundled) };
  const manifest = published({ ...withoutPeers(own, Object.fromEntries(bundled)), dependencies: needed });
  return writeManifest({ folder, room, manifest: { ...manifest, bundleDependencies: [...inside].sort() } });
}

/** What is inside is not asked of whoever installs the package. */
function withoutPeers({ peerDependencies: peers = {}, peerDependenciesMeta: meta = {}, ...own }, inside) {
  const left = (entries) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !Object.hasOwn(inside, name)));
  return { ...own, peerDependencies: left(peers), peerDependenciesMeta: left(meta) };
}

function roomsOfOurs() {
  return new Map(packagesOf().map((room) => [manifestOf(room).name, { room, own: manifestOf(room) }]));
}

function insideOf(name, rooms, found = new Set()) {
  for (const needed of Object.keys(rooms.get(name).own.dependencies ?? {})) {
    if (!rooms.has(needed) || found.has(needed)) continue;
    found.add(needed);
    insideOf(needed, rooms, found);
  }
  return found;
}

/** Only what was made of a source that is still there: a build leaves the files of removed ones behind. */
async function stageRoom(room, folder) {
  const dist = join(root, room, "dist");
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(dist, path);
    const source = name.replace(/(\.d\.ts|\.js)$/, "");
    if (!entry.isFile() || source === name || /(^|\/)bundle\//.test(name)) continue;
    if (![".ts", ".tsx"].some((ending) => existsSync(join(root, room, "src", `${source}${ending}`)))) continue;
    await mkdir(dirname(join(folder, "dist", name)), { recursive: true });
    const text = await readFile(path, "utf8");
    await writeFile(join(folder, "dist", name), text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n"));
  }
  if (existsSync(join(root, room, "README.md"))) await cp(join(root, room, "README.md"), join(folder, "README.md"));
}

/** Without what only the repository knows: sources, tools of development, `private`. */
function published({ private: _, devDependencies: __, scripts: ___, exports: doors = {}, ...manifest }) {
  const withoutSources = Object.entries(doors).map(([door, { "@muster/source": _, ...conditions }]) => [
    door,
    conditions,
  ]);
  return { ...manifest, exports: Object.fromEntries(withoutSources) };
}
