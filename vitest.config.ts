import { defineConfig } from "vitest/config";

interface Lane {
  readonly name: string;
  readonly testMs: number;
}
// By address: the scripts have no types.
const { lanes, testFiles }: { lanes: readonly Lane[]; testFiles(): { file: string; lane: string }[] } = await import(
  new URL("./scripts/lanes.mjs", import.meta.url).href
);

// Tests import the sources of our packages; the processes they start run the build in dist/ (npm test builds first).
// Node and Vite add `import` or `require` themselves: named here, it would send a `require` to a package's ES modules too.
const resolve = { conditions: ["@muster/source", "node"] };

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    maxWorkers: 2,
    slowTestThreshold: 10_000,
    globalSetup: ["./test/prepare-machine.ts"],
    projects: lanes.map(({ name, testMs }, groupOrder) => ({
      extends: true as const,
      test: {
        name,
        include: testFiles().flatMap(({ file, lane }) => (lane === name ? [file] : [])),
        sequence: { groupOrder },
        testTimeout: testMs,
        // What is outside of the house is made or fetched in hooks.
        hookTimeout: 2 * testMs,
        setupFiles: name === "unit" ? ["./test/start-nothing.ts"] : [],
      },
    })),
  },
});
