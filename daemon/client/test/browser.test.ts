import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("the main entry bundles for a browser without zod, in 15 kB", async () => {
  const { errors, outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    platform: "browser",
    format: "esm",
    conditions: ["@muster/source"],
  });
  expect(errors).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"))).toEqual([]);
  expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThanOrEqual(15_000);
});
