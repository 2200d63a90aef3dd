import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locate, openProject, type Project } from "./project.ts";

let around: string;
let project: Project;

beforeAll(async () => {
  around = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-paths-")));
  mkdirSync(path.join(around, "proj/src"), { recursive: true });
  mkdirSync(path.join(around, "proj-evil"));
  writeFileSync(path.join(around, "proj/src/a.ts"), "a");
  writeFileSync(path.join(around, "proj-evil/secret.txt"), "s");
  symlinkSync(path.join(around, "proj"), path.join(around, "alias"));
  symlinkSync("../proj-evil/secret.txt", path.join(around, "proj/link.txt"));
  symlinkSync(path.join(around, "proj-evil"), path.join(around, "proj/linked"));
  symlinkSync("../proj-evil/not-yet.txt", path.join(around, "proj/dangling.txt"));
  symlinkSync("src/a.ts", path.join(around, "proj/inner.ts"));
  symlinkSync("loop", path.join(around, "proj/loop"));
  project = await openProject(path.join(around, "alias"));
});
afterAll(() => rmSync(around, { recursive: true, force: true }));

test.each([
  ["a relative path", "src/a.ts", "src/a.ts"],
  ["the root itself", ".", "."],
  ["a path with dots that comes back", "src/../src/a.ts", "src/a.ts"],
  ["a file that does not exist yet", "new/deep/file.ts", "new/deep/file.ts"],
  ["a link that stays inside", "inner.ts", "inner.ts"],
])("%s is inside", async (_title, given, expected) => {
  expect(await locate(project, given)).toMatchObject({ path: expected, inside: true });
});

test("an absolute path is inside by the real root and by the name the user gave it", async () => {
  for (const root of [project.root, project.named]) {
    expect(await locate(project, path.join(root, "src/a.ts"))).toMatchObject({ path: "src/a.ts", inside: true });
  }
});

test.each([
  ["a sibling with the same prefix", "../proj-evil/secret.txt"],
  ["the parent", ".."],
  ["a link to a file outside", "link.txt"],
  ["a file below a link to a directory outside", "linked/secret.txt"],
  ["a new file below a link to a directory outside", "linked/new.txt"],
  ["a link to a file outside that does not exist yet", "dangling.txt"],
  ["an absolute path elsewhere", "/etc/hosts"],
])("%s is outside", async (_title, given) => {
  expect(await locate(project, given)).toMatchObject({ inside: false });
});

test("a path in other letters is inside exactly when the file system says it is the same directory", async () => {
  const other = path.join(around, "PROJ", "src/a.ts");
  expect((await locate(project, other)).inside).toBe(existsSync(other));
});

test.each([
  ["a NUL character", "src/a.ts\0.png", "NUL"],
  ["a link to itself", "loop", "resolved"],
])("a path with %s has no meaning", async (_title, given, reason) => {
  await expect(locate(project, given)).rejects.toThrow(reason);
});
