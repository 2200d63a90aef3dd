import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("the main entry bundles for a browser, so it needs nothing of Node", async () => {
  const { errors, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "browser",
    format: "esm",
    conditions: ["@muster/source"],
  });
  expect(errors).toEqual([]);
  expect(outputFiles[0]?.text).toContain("createClient");
});
