import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where a daemon begins; each is imported when the one before it runs. */
const entries = ["daemon/cli/src/command-line.ts", "daemon/cli/src/default-places.ts", "daemon/server/src/index.ts"];

/** Too dear for every start: schemas are made and compiled when a request, or a file on disk, first needs them. */
const dear = /^node_modules\/zod\/|^daemon\/schema\/src\/(operations|session|events)\.ts$|^daemon\/cli\/src\/talk\//;

it("a start of the daemon loads no schemas, and nothing of its clients", async () => {
  const { metafile } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    outdir: "nowhere",
    write: false,
    metafile: true,
    bundle: true,
    // Otherwise what is imported later counts as imported at once.
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["@muster/source", "node"],
    logLevel: "silent",
  });
  const loaded = new Set(entries);
  for (const path of loaded) {
    for (const { kind, path: imported } of metafile.inputs[path]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(imported);
    }
  }
  expect(loaded.size).toBeGreaterThan(100);
  expect([...loaded].filter((path) => dear.test(path))).toEqual([]);
});
