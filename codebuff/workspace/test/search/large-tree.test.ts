import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listFiles, openWorkspace, type Workspace } from "../../src/index.ts";

const directories = 1000;
const filesEach = 100;
let around: string;
let root: string;
let workspace: Workspace;

/** 100,000 names of a hundred files: names are what a listing pays for. */
beforeAll(async () => {
  around = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-large-")));
  root = path.join(around, "proj");
  mkdirSync(root);
  const seeds = Array.from({ length: filesEach }, (_, index) => {
    const seed = path.join(around, `seed${index}.ts`);
    writeFileSync(seed, `export function symbol${index}() {}\n`);
    utimesSync(seed, 1_000_000, 1_000_000);
    return seed;
  });
  for (let directory = 0; directory < directories; directory += 1) {
    const target = path.join(root, `group${directory % 10}`, `d${directory}`);
    mkdirSync(target, { recursive: true });
    seeds.forEach((seed, index) => {
      linkSync(seed, path.join(target, `f${index}.ts`));
    });
  }
  writeFileSync(path.join(root, "group3/d503/needle.ts"), "the needle\n");
  writeFileSync(path.join(root, "group4/.gitignore"), "d4/\n");
  writeFileSync(path.join(root, "group5/.codebuffignore"), "d5/\n");
  workspace = await openWorkspace({ root, cacheDirectory: path.join(around, "cache") });
}, 600_000);
afterAll(async () => {
  await workspace.close();
  rmSync(around, { recursive: true, force: true });
}, 600_000);

async function value(toolName: string, input: Record<string, unknown>): Promise<unknown> {
  const hands = workspace.beginRun({ runId: "r" });
  const [result] = await hands.call([{ toolName, toolCallId: "1", input: input as never }]);
  const part = result?.output[0];
  return part?.type === "json" ? part.value : undefined;
}

test("a tree of 100,000 files is listed completely, without what two nested ignore files hide", async () => {
  const files = await listFiles({ root });
  // All files but two directories, plus the needle and the two ignore files.
  expect(files).toHaveLength(directories * filesEach - 2 * filesEach + 3);
  expect(new Set(files).size).toBe(files.length);
  expect(files.some((file) => file.startsWith("group4/d4/") || file.startsWith("group5/d5/"))).toBe(false);
});

test("one needle in it is found, and the newest file comes first among ten thousand", async () => {
  expect(await value("code_search", { pattern: "the needle" })).toEqual({
    stdout: "./group3/d503/needle.ts:\n1:the needle",
    message: "Exit code: 0",
  });
  const found = (await value("glob", { pattern: "**/*.ts" })) as { files: string[]; count: number; message: string };
  expect(found.files[0]).toBe("group3/d503/needle.ts");
  expect(found.count).toBe(10_000);
  expect(found.message).toContain("99801 file(s)");
});

test("its tree is printed within the budget, and a directory of it is listed", async () => {
  const [tree] = (await value("read_subtree", { maxTokens: 2000 })) as {
    tokenCount: number;
    truncationLevel: string;
  }[];
  expect(tree?.tokenCount).toBeLessThanOrEqual(2000);
  expect(tree?.truncationLevel).toBe("depth-based");
  const listed = (await value("list_directory", { path: "group0/d0" })) as { files: string[] };
  expect(listed.files).toHaveLength(filesEach);
});
