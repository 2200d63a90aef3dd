import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// By address: the scripts have no types.
const { bundle }: { bundle(options: { entry: string; out: string }): Promise<void> } = await import(
  new URL("../../scripts/bundle/bundle.mjs", import.meta.url).href
);

describe("a bundle", () => {
  let folder: string;
  const out = () => join(folder, "dist/bundle/hello.cjs");
  const run = (...args: string[]) => execFileSync(process.execPath, [out(), ...args], { encoding: "utf8" });

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "muster-bundle-test-")));
    mkdirSync(join(folder, "src"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs, knows where its sources lie, and loads later what is imported later", async () => {
    await writeEntry("Hello");
    expect(run("x", "y")).toBe(`Hello ü at ${join(folder, "src/name.ts")}: x,y\n`);
  });

  it("imports a file that is only known when it runs, from cached code too", async () => {
    writeFileSync(join(folder, "late.mjs"), 'await null;\nexport const word = "late";\n');
    writeFileSync(
      join(folder, "src/main.ts"),
      `const [file = ${JSON.stringify(join(folder, "late.mjs"))}] = process.argv.slice(3);
      void import(file).then(({ word }) => process.stdout.write(word));`,
    );
    await bundle({ entry: join(folder, "src/main.ts"), out: out() });
    expect(run()).toBe("late");
    await writeEntry("Hello");
  });

  it("uses the code cache that was made with it", () => {
    expect(isCacheUsed(out())).toBe(true);
  });

  it("never uses the cache of other code, not even of the same length", async () => {
    await writeEntry("Howdy");
    expect(run()).toContain("Howdy");
    expect(readdirSync(join(folder, "dist/bundle")).filter((name) => name.endsWith(".cache"))).toHaveLength(1);
  });

  it("runs without its cache", () => {
    for (const name of readdirSync(join(folder, "dist/bundle"))) {
      if (name.endsWith(".cache")) rmSync(join(folder, "dist/bundle", name));
    }
    expect(run()).toContain("Howdy");
  });

  function writeEntry(word: string): Promise<void> {
    writeFileSync(
      join(folder, "src/main.ts"),
      `void import("./name.ts").then(({ name }) => process.stdout.write(\`${word} \${name}: \${process.argv.slice(2)}\\n\`));`,
    );
    writeFileSync(
      join(folder, "src/name.ts"),
      `import { fileURLToPath } from "node:url";\nexport const name: string = "ü at " + fileURLToPath(import.meta.url);`,
    );
    return bundle({ entry: join(folder, "src/main.ts"), out: out() });
  }
});

it.each([
  "daemon/cli/dist/bundle/sandbox-daemon.cjs",
  "codebuff/cli/dist/bundle/codebuff.cjs",
  "codebuff/server/dist/bundle/codebuff-server.cjs",
  "testing/scripted-llm/dist/bundle/scripted-llm.cjs",
  "testing/evals/dist/bundle/muster-eval.cjs",
])("%s has a code cache that this Node takes", (path) => {
  expect(isCacheUsed(fileURLToPath(new URL(`../../${path}`, import.meta.url)))).toBe(true);
});

/** Loads the bundle with a `vm.Script` that tells what became of the cache. */
function isCacheUsed(bundled: string): boolean {
  const spy = `
    const vm = require("node:vm");
    vm.Script = class extends vm.Script {
      runInThisContext() { console.log(this.cachedDataRejected); return () => {}; }
    };
    require(${JSON.stringify(bundled)});
  `;
  return execFileSync(process.execPath, ["-e", spy], { encoding: "utf8" }) === "false\n";
}
