/**
 * How esbuild makes modules for Node of our sources, split where one is imported later and not written to the disk.
 * @returns {import("esbuild").BuildOptions & { write: false }}
 */
export function splitModules(head) {
  return {
    write: false,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@muster/source", "node"],
    // ES modules first: what an UMD file requires by a name of its own is not found by a bundler.
    mainFields: ["module", "main"],
    define: { "import.meta.url": "ownPlace" },
    banner: { js: head },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "eof",
    logLevel: "warning",
  };
}
