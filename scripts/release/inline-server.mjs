/** The daemon inside the released client, for `@muster/client/inline`: modules that need nothing but Node. */
import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { ownSources, withoutLocales } from "../bundle/bundle.mjs";
import { root } from "../prepare.mjs";
import { stagePrograms } from "./command-package.mjs";
import { splitModules } from "./split-modules.mjs";

/** As deep as in the repository: from here the daemon looks for the programs it starts. */
const place = "daemon/server/dist/inline";

/** `require` is for the packages that are CommonJS still, and ask it for modules of Node. */
const head = `import { createRequire as requireFrom } from "node:module";
const require = requireFrom(import.meta.url);
const placeOfSource = (path) => new URL(path, import.meta.url).href;
const importFile = (url) => import(url);`;

/** The module to import, from the folder that is filled. */
export const inlineEntry = `${place}/inline.js`;

/** Fills `folder`; what is imported later stays a file of its own. Resolves with the paths of what was bundled. */
export async function stageInlineServer(folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, "daemon/server/src/inline.ts")],
    outdir: join(root, place),
    metafile: true,
    ...splitModules(head),
    plugins: [ownSources(join(root, place)), withoutLocales],
  });
  checkOutside(metafile);
  await mkdir(join(folder, place), { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(join(folder, place, basename(path)), contents);
  return [...Object.keys(metafile.inputs), ...(await stagePrograms("sandbox-daemon", folder))];
}

/** Nobody installs anything for it. */
function checkOutside({ outputs }) {
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const packages = outside.map(({ path }) => path).filter((path) => !isBuiltin(path));
  if (packages.length > 0) throw new Error(`The inline daemon would need ${[...new Set(packages)].join(", ")}`);
}
