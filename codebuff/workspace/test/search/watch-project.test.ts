import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FileChange, watchProject } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

const waiting = { timeout: 60_000 };

async function watchFixture(files: Record<string, string>) {
  const { root } = await projectFixture(files);
  const changes: FileChange[] = [];
  const errors: Error[] = [];
  const watch = await watchProject({
    root,
    onChange: (some) => void changes.push(...some),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => watch.close());
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  };
  const told = (name: string) => changes.filter((change) => change.path === name).map(({ kind }) => kind);
  return { root, changes, errors, watch, write, told };
}

test("what is added, changed and removed is told, in new directories too", async () => {
  const { root, write, told, errors } = await watchFixture({ "src/a.ts": "1\n", "src/old.ts": "1\n" });
  await write("src/a.ts", "22\n");
  await expect.poll(() => told("src/a.ts"), waiting).toContain("changed");
  await write("docs/deep/b.md", "b\n");
  await expect.poll(() => told("docs/deep/b.md"), waiting).toContain("added");
  await rm(path.join(root, "src/old.ts"));
  await expect.poll(() => told("src/old.ts"), waiting).toEqual(["removed"]);
  await rename(path.join(root, "docs"), path.join(root, "papers"));
  await expect
    .poll(() => [told("docs/deep/b.md").at(-1), told("papers/deep/b.md")[0]], waiting)
    .toEqual(["removed", "added"]);
  expect(errors).toEqual([]);
});

test("what a listing does not show is not told: ignored files, dependencies, secrets", async () => {
  const { write, told, changes } = await watchFixture({
    ".gitignore": "*.log\nbuild/\n",
    ".codebuffignore": "private/\n",
    "kept/.gitignore": "!loud.log\n",
    "build/out.js": "",
    "node_modules/one/index.js": "",
  });
  const hidden = [
    "a.log",
    "build/out.js",
    "build/new.js",
    "private/x.md",
    "node_modules/one/index.js",
    ".env",
    ".git/HEAD",
  ];
  for (const name of hidden) await write(name, "changed\n");
  await write("kept/loud.log", "x\n");
  await write("last.txt", "x\n");
  await expect.poll(() => [told("kept/loud.log")[0], told("last.txt")[0]], waiting).toEqual(["added", "added"]);
  expect(changes.map((change) => change.path).filter((name) => hidden.includes(name))).toEqual([]);
});

test("a rule that is added while the project is watched holds from then on", async () => {
  const { write, told } = await watchFixture({ ".gitignore": "" });
  await write(".gitignore", "*.log\n");
  await expect.poll(() => told(".gitignore"), waiting).toContain("changed");
  await write("a.log", "x\n");
  await write("b.txt", "x\n");
  await expect.poll(() => told("b.txt"), waiting).toContain("added");
  expect(told("a.log")).toEqual([]);
});

test("nothing is told after close, nor after the owner's abort", async () => {
  const first = await watchFixture({});
  const owner = new AbortController();
  const second: FileChange[] = [];
  const onError = (error: Error) => {
    throw error;
  };
  await watchProject({
    root: first.root,
    onChange: (some) => void second.push(...some),
    onError,
    signal: owner.signal,
  });
  await first.watch.close();
  owner.abort();
  const witness: FileChange[] = [];
  const last = await watchProject({ root: first.root, onChange: (some) => void witness.push(...some), onError });
  onTestFinished(() => last.close());
  await first.write("a.txt", "x\n");
  await expect.poll(() => witness, waiting).toContainEqual({ path: "a.txt", kind: "added" });
  expect([...first.changes, ...second]).toEqual([]);
  const begin = (signal: AbortSignal) => watchProject({ root: first.root, onChange: () => undefined, onError, signal });
  await expect(begin(owner.signal)).rejects.toThrow("aborted");
  const soon = new AbortController();
  const beginning = begin(soon.signal);
  soon.abort();
  await expect(beginning).rejects.toThrow("aborted");
});
