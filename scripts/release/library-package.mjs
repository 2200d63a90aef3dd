/**
 * The npm package of a library: JavaScript and types, and inside it those of our packages that it needs, as files of its own:
 * nothing that is not published is named, so every package manager installs it.
 */
import { manifestOf } from "../streets.mjs";
import { stageAiSdk } from "./ai-sdk-package.mjs";
import { stageClient } from "./client-package.mjs";
import { stageDeclarations } from "./declarations.mjs";
import { writeManifest } from "./manifest.mjs";
import { writeNotices } from "./notices.mjs";
import { neededOf, ownPackages } from "./own-packages.mjs";
import { stageScripts } from "./scripts.mjs";

/** Room → how its code gets into the package; resolves with the paths of what of others was bundled. */
const libraries = {
  "daemon/client": stageClient,
  "codebuff/sdk": stageSdk,
  "integrations/ai-sdk": stageAiSdk,
};

export const libraryRooms = Object.keys(libraries);

/** Fills `folder` with the package; resolves with its manifest. */
export async function stageLibrary(room, folder) {
  const { dependencies, inputs } = await libraries[room](folder);
  const own = manifestOf(room);
  await writeManifest({ folder, room, manifest: { ...published(own), dependencies } });
  await writeNotices(folder, inputs);
  return own;
}

async function stageSdk(folder) {
  const name = "@muster/codebuff-sdk";
  const inside = neededOf(name);
  await stageScripts({ name, inside, folder });
  const outside = await stageDeclarations({ name, folder });
  const dependencies = Object.assign({}, ...[...inside, name].map((one) => dependenciesOf(one)));
  const missing = outside.filter((one) => dependencies[one] === undefined);
  if (missing.length > 0) throw new Error(`The types of ${name} would need ${missing.join(", ")}`);
  return { dependencies: sorted(dependencies), inputs: [] };
}

/** Those that are not ours. */
function dependenciesOf(name) {
  const { dependencies = {}, optionalDependencies = {} } = ownPackages.get(name).manifest;
  const all = Object.entries({ ...dependencies, ...optionalDependencies });
  return Object.fromEntries(all.filter(([needed]) => !ownPackages.has(needed)));
}

function sorted(entries) {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without what only the repository knows: sources, tools of development, our own packages, `private`. */
function published({ private: _, devDependencies: __, scripts: ___, exports: doors = {}, ...manifest }) {
  const exports = Object.entries(doors).map(([door, { "@muster/source": _, ...conditions }]) => [door, conditions]);
  const others = Object.entries(manifest.peerDependencies ?? {}).filter(([name]) => isPublished(name));
  const { peerDependencies: ____, peerDependenciesMeta: meta = {}, files: _____, ...own } = manifest;
  const left = Object.fromEntries(Object.entries(meta).filter(([name]) => isPublished(name)));
  return {
    ...own,
    sideEffects: false,
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    ...(others.length > 0 && { peerDependencies: Object.fromEntries(others), peerDependenciesMeta: left }),
  };
}

function isPublished(name) {
  return !ownPackages.has(name) || libraryRooms.includes(ownPackages.get(name).room);
}
