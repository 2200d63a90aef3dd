/**
 * The code of a single executable: modules, split where one is imported later. What a start does not use is then neither
 * evaluated nor given room for its functions (4 MB of the daemon's).
 */
import { basename, join } from "node:path";
import { build } from "esbuild";
import { ownSources, withoutLocales } from "../bundle/bundle.mjs";
import { root } from "../prepare.mjs";
import { splitModules } from "./split-modules.mjs";

/** An executable has no files of ours: every place is one that does not exist, and own programs are started by name. */
const head = `import { createRequire as requireFrom } from "node:module";
const require = requireFrom("file:///muster/executable/");
const placeOfSource = (path) => "file:///muster/executable/" + path;
const importFile = (url) => import(url);
const withNames = (part) => ({ ...part.default, ...part });`;

/** A package of CommonJS that becomes a part of its own has no name but its default: the others are added. */
function nameParts(text) {
  return text.replaceAll(/\bimport\(("[^."][^"]*")\)/g, (whole, name) =>
    name.startsWith('"node:') || name.startsWith('"@muster/') ? whole : `import(${name}).then(withNames)`,
  );
}

/** Resolves with the names and texts of the files; the command begins in `<name>.js`. */
export async function executableCode(options) {
  const { outputFiles } = await buildCode(options);
  return outputFiles.map(({ path, text }) => ({ file: basename(path), text }));
}

/** The paths of what is in that code. */
export async function executableInputs(options) {
  const { metafile } = await buildCode(options);
  return Object.keys(metafile.inputs);
}

function buildCode({ entry, name, external = [], plugins = [] }) {
  return build({
    metafile: true,
    entryPoints: { [name]: join(root, entry) },
    // Nothing is written: a place in the repository, because places are part of the bytes, and it may lie anywhere.
    outdir: join(root, "release"),
    absWorkingDir: root,
    ...splitModules(head),
    external,
    chunkNames: "part-[hash]",
    plugins: [...plugins, ownSources(root, nameParts), withoutLocales],
  });
}
