/** The code of the TypeScript client: bundled, with zod inside the schemas' entry only, and the daemon for `/inline`. */
import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { withoutLocales } from "../bundle/bundle.mjs";
import { root } from "../prepare.mjs";
import { stageDeclarations } from "./declarations.mjs";
import { inlineEntry, stageInlineServer } from "./inline-server.mjs";

const room = "daemon/client";
const doors = ["index", "inline/index", "node/index", "schemas"];

export async function stageClient(folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: doors.map((door) => join(root, room, `src/${door}.ts`)),
    outdir: join(root, room, "dist"),
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: ["es2022"],
    conditions: ["@muster/source", "import"],
    chunkNames: "part-[hash]",
    legalComments: "none",
    logLevel: "warning",
    plugins: [withoutLocales, serverBeside],
  });
  for (const { path, contents } of outputFiles) {
    const target = join(folder, relative(join(root, room), path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contents);
  }
  const inline = await stageInlineServer(join(folder, "inside/server"));
  const outside = [...outsideOf(metafile), ...(await stageDeclarations({ name: "@muster/client", folder }))];
  if (outside.length > 0) throw new Error(`The client would need ${outside.join(", ")}`);
  return { dependencies: undefined, inputs: [...Object.keys(metafile.inputs), ...inline] };
}

/** The daemon stays a file of its own, which only `/inline` loads. */
const serverBeside = {
  name: "server-beside",
  setup(to) {
    to.onResolve({ filter: /^@muster\/server$/ }, () => ({
      path: `../../inside/server/${inlineEntry}`,
      external: true,
    }));
    to.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
  },
};

function outsideOf({ outputs }) {
  const imports = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  return imports.map(({ path }) => path).filter((path) => !isBuiltin(path) && !path.startsWith("../../inside/"));
}
