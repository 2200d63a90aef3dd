import { defineConfig } from "vitest/config";
import { streets } from "./scripts/streets.mjs";

// Tests import the sources of our packages; the processes they start run the build in dist/ (npm test builds first).
// Node and Vite add `import` or `require` themselves: named here, it would send a `require` to a package's ES modules too.
const resolve = { conditions: ["@muster/source", "node"] };
const shared = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "rooms",
          include: [`{${streets.join(",")}}/*/{src,test}/**/*.test.ts`, "test/**/*.test.ts"],
          exclude: ["**/*.agent.test.ts", "**/node_modules/**", "**/dist/**"],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "agents",
          testTimeout: 300_000,
          hookTimeout: 600_000,
          include: ["**/*.agent.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
        },
      },
    ],
  },
});
