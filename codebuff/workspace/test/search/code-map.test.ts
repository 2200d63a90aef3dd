import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CodeMap } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

const files = {
  "src/a.ts": "export function foo() {}\n",
  "src/b.ts": "export function bar() { foo(); }\n",
  "lib/c.py": "def baz():\n    foo()\n",
  "notes.md": "foo()\n",
  ".gitignore": "gen/\n",
  "gen/g.ts": "foo();\n",
};

function open(root: string, around: string): CodeMap {
  const map = new CodeMap({ root, cacheDirectory: path.join(around, "cache") });
  onTestFinished(() => map.close());
  return map;
}

/** Long enough ago that time and size alone are trusted. */
function settle(root: string): void {
  for (const name of Object.keys(files)) utimesSync(path.join(root, name), 1_000_000, 1_000_000);
}

test("symbols are found over languages, and ignored files do not count as callers", async () => {
  const { root, around } = await projectFixture(files);
  const view = await open(root, around).view();
  expect(view.files.map((file) => file.path)).toEqual([".gitignore", "notes.md", "lib/c.py", "src/a.ts", "src/b.ts"]);
  expect(view.referencedBy("src/a.ts")).toEqual({ foo: ["lib/c.py", "src/b.ts"] });
  expect(view.parsed).toBe(3);
});

test("a second start parses only what changed, wherever it lies (D11)", async () => {
  const { root, around } = await projectFixture(files);
  settle(root);
  expect((await open(root, around).view()).parsed).toBe(3);
  expect((await open(root, around).view()).parsed).toBe(0);
  writeFileSync(path.join(root, "src/b.ts"), "export function other() {}\n");
  const changed = await open(root, around).view();
  expect(changed.parsed).toBe(1);
  expect(changed.referencedBy("src/a.ts")).toEqual({ foo: ["lib/c.py"] });
});

test("the same content under another name or with another time is not parsed again", async () => {
  const { root, around } = await projectFixture(files);
  await open(root, around).view();
  mkdirSync(path.join(root, "copy"));
  writeFileSync(path.join(root, "copy/a.ts"), files["src/a.ts"]);
  utimesSync(path.join(root, "src/b.ts"), 2_000_000, 2_000_000);
  expect((await open(root, around).view()).parsed).toBe(0);
});

test("a change that keeps size and time is seen when it came right after the last look", async () => {
  const { root, around } = await projectFixture(files);
  const map = open(root, around);
  await map.view();
  const file = path.join(root, "src/b.ts");
  const now = Date.now() / 1000;
  utimesSync(file, now, now);
  await map.view();
  writeFileSync(file, files["src/b.ts"].replace("bar", "baz"));
  utimesSync(file, now, now);
  expect((await map.view()).parsed).toBe(1);
});

test("nothing is built before somebody asks, and the cache lies outside the project", async () => {
  const { root, around } = await projectFixture(files);
  const map = open(root, around);
  expect(readdirSync(around)).toEqual(["proj"]);
  await map.view();
  expect(readdirSync(around).sort()).toEqual(["cache", "proj"]);
  expect(readdirSync(path.join(around, "cache"))).toHaveLength(1);
});

test.each(["", "{", "null", '{"format":1}', '{"format":0,"savedAt":1,"files":{},"symbols":{}}'])(
  "a broken cache (%j) is built anew",
  async (content) => {
    const { root, around } = await projectFixture(files);
    await open(root, around).view();
    const cache = path.join(around, "cache");
    const name = readdirSync(cache)[0] ?? "";
    writeFileSync(path.join(cache, name), content);
    expect((await open(root, around).view()).parsed).toBe(3);
    expect(JSON.parse(readFileSync(path.join(cache, name), "utf8"))).toMatchObject({ format: 1 });
  },
);

test("a cache that cannot be written is no failure", async () => {
  const { root, around } = await projectFixture(files);
  writeFileSync(path.join(around, "cache"), "a file where the directory should be");
  expect((await open(root, around).view()).parsed).toBe(3);
  rmSync(path.join(around, "cache"));
});

test("read_subtree prints directories within the budget, files as symbols, and tells what is missing", async () => {
  const { value } = await projectFixture(files);
  expect(await value("read_subtree", { paths: ["src", "src/a.ts", "nope", "notes.md"] })).toEqual([
    { path: "src", type: "directory", printedTree: "a.ts foo\nb.ts bar", tokenCount: 6, truncationLevel: "none" },
    { path: "src/a.ts", type: "file", variables: ["foo"] },
    { path: "nope", errorMessage: "nope does not exist" },
    { path: "notes.md", type: "file", variables: [] },
  ]);
  expect(await value("read_subtree", { maxTokens: 5 })).toMatchObject([{ path: ".", truncationLevel: "depth-based" }]);
});
