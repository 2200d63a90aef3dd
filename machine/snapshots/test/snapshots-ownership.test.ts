import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProject, pictureOf } from "./snapshots-fixture.ts";

describe("undo never deletes what it did not see created", () => {
  test("files that were ignored stay when the agent edits the rules, and come under no later rule", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write(".gitignore", ".env\n*.db\nlogs/\n");
    project.write(".env", "KEY=1\n");
    project.write("data.db", "rows\n");
    project.write("logs/a.log", "a\n");
    project.write("src/.gitignore", "local\n");
    project.write("src/local", "mine\n");
    project.write("src/a.ts", "a\n");
    const before = pictureOf(project.root);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write(".gitignore", "# nothing\n");
    rmSync(join(project.root, "src/.gitignore"));
    project.write("src/b.ts", "b\n");
    await snapshots.settle();
    const after = pictureOf(project.root);
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", kept: [] });
    expect(pictureOf(project.root)).toEqual(before);
    expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(after);
  });

  test("what the agent makes and then hides by a new rule is undone", async () => {
    const project = makeProject();
    project.write("a.txt", "a\n");
    const before = pictureOf(project.root);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("hidden/new.txt", "new\n");
    project.write(".gitignore", "hidden/\n");
    await snapshots.settle();
    await snapshots.undo();
    expect(pictureOf(project.root)).toEqual(before);
  });

  test("git add -f of an ignored file does not make it the agent's", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write(".gitignore", ".env\n");
    project.write(".env", "KEY=1\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.git("add", "-f", ".env");
    project.write("a.txt", "a\n");
    await snapshots.settle();
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "a.txt" }] });
    expect(project.read(".env")).toBe("KEY=1\n");
  });

  test("an ignored file or directory that got another name is kept and told of", async () => {
    const project = makeProject();
    project.write(".gitignore", ".env\nbuild/\n");
    project.write(".env", "KEY=1\n");
    project.write("build/deep/precious", "data\n");
    project.write("ours.txt", "ours\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    renameSync(join(project.root, ".env"), join(project.root, "env.txt"));
    renameSync(join(project.root, "build"), join(project.root, "out"));
    renameSync(join(project.root, "ours.txt"), join(project.root, "renamed.txt"));
    project.write("new.txt", "new\n");
    await snapshots.settle();
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", kept: ["env.txt", "out/deep/precious"] });
    expect(readdirSync(project.root).sort()).toEqual([".gitignore", "env.txt", "ours.txt", "out"]);
    expect(project.read("out/deep/precious")).toBe("data\n");
  });

  test("files too large or unreadable at the checkpoint stay when they have become small or readable", async () => {
    const project = makeProject();
    project.write("large", Buffer.alloc(2000));
    project.write("grown", "small once\n");
    const snapshots = await project.open({ maxFileBytes: 1000 });
    await snapshots.checkpoint("first");
    project.write("grown", Buffer.alloc(1500, 1));
    expect((await snapshots.checkpoint("second")).skipped.sort()).toEqual(["grown", "large"]);
    project.write("large", "cut\n");
    project.write("grown", "cut\n");
    await snapshots.settle();
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", changes: [] });
    expect([project.read("large"), project.read("grown")]).toEqual(["cut\n", "cut\n"]);
  });

  test("the files of a repository inside the project stay when its .git is gone", async () => {
    const project = makeProject();
    project.git("init", "-q", "library");
    project.write("library/a.c", "a\n");
    const snapshots = await project.open();
    expect((await snapshots.checkpoint("x")).nested).toEqual(["library"]);
    rmSync(join(project.root, "library/.git"), { recursive: true });
    project.write("own.txt", "own\n");
    await snapshots.settle();
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "own.txt" }] });
    expect(project.read("library/a.c")).toBe("a\n");
  });

  test("rules that changed between two checkpoints hold for each its own", async () => {
    const project = makeProject();
    project.write("notes", "1\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("recorded");
    project.write("notes", "2\n");
    project.write(".gitignore", "notes\n");
    await snapshots.settle();
    await snapshots.checkpoint("ignored");
    project.write("notes", "3\n");
    project.write("other", "x\n");
    await snapshots.settle();
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "other" }] });
    expect(project.read("notes")).toBe("3\n");
    expect(await snapshots.undo()).toMatchObject({ kind: "conflict", id: 1, paths: ["notes"] });
  });
});

describe("directories, files and links in each other's place", () => {
  const kinds = ["directory", "file", "link", "nothing"] as const;
  const make = (root: string, kind: (typeof kinds)[number], mark: string) => {
    rmSync(join(root, "x"), { recursive: true, force: true });
    if (kind === "directory") mkdirSync(join(root, "x/deep"), { recursive: true });
    if (kind === "directory") symlinkSync(mark, join(root, "x/deep/in"));
    if (kind === "file") symlinkSync("unused", join(root, "unused"));
    if (kind === "link") symlinkSync("target", join(root, "x"));
  };
  const pairs = kinds.flatMap((from) => kinds.filter((to) => to !== from).map((to) => [from, to] as const));

  test.each(pairs)("%s → %s and back, whatever the rules say about the new one", async (from, to) => {
    for (const rules of ["", "x/\n"]) {
      const project = makeProject();
      project.write(".gitignore", rules);
      project.write("target/a", "a\n");
      const set = (kind: (typeof kinds)[number], mark: string) => {
        make(project.root, kind, mark);
        rmSync(join(project.root, "unused"), { force: true });
        if (kind === "file") project.write("x", mark);
        if (kind === "directory") project.write("x/b", mark);
      };
      set(from, "before");
      const before = pictureOf(project.root);
      const snapshots = await project.open();
      await snapshots.checkpoint("x");
      set(to, "after");
      await snapshots.settle();
      const after = pictureOf(project.root);
      const undone = await snapshots.undo();
      // A directory the rules ignore is nobody's: it is neither recorded nor brought back nor taken away.
      const isForeign = rules !== "" && (from === "directory" || (to === "directory" && from === "nothing"));
      if (isForeign) continue;
      expect(undone).toMatchObject({ kind: "moved" });
      expect(pictureOf(project.root)).toEqual(before);
      expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
      expect(pictureOf(project.root)).toEqual(after);
    }
  });
});

describe("empty directories and modes", () => {
  test("empty directories come and go with the work, and those of the person stay", async () => {
    const project = makeProject();
    project.write(".gitignore", "*.log\n");
    for (const directory of ["empty/inner", "goes"]) mkdirSync(join(project.root, directory), { recursive: true });
    project.write("logs/a.log", "ignored\n");
    const before = pictureOf(project.root);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    rmSync(join(project.root, "goes"), { recursive: true });
    mkdirSync(join(project.root, "new/inner"), { recursive: true });
    project.write("empty/inner/file", "x\n");
    await snapshots.settle();
    const after = pictureOf(project.root);
    await snapshots.undo();
    expect(pictureOf(project.root)).toEqual(before);
    await snapshots.redo();
    expect(pictureOf(project.root)).toEqual(after);
    await snapshots.undo();
    // A directory that was there stays, also when what was ignored in it is gone.
    await snapshots.checkpoint("y");
    rmSync(join(project.root, "logs/a.log"));
    await snapshots.settle();
    await snapshots.undo();
    expect(existsSync(join(project.root, "logs"))).toBe(true);
  });

  test.each([0o600, 0o640, 0o444, 0o755, 0o700])("a mode changed to %o is undone and redone", async (mode) => {
    const project = makeProject();
    project.write("a", "a\n");
    project.write("d/b", "b\n");
    chmodSync(join(project.root, "d/b"), 0o600);
    chmodSync(join(project.root, "d"), 0o750);
    const modes = () => ["a", "d/b", "d"].map((path) => statSync(join(project.root, path)).mode & 0o7777);
    const before = modes();
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    chmodSync(join(project.root, "a"), mode);
    chmodSync(join(project.root, "d/b"), mode);
    chmodSync(join(project.root, "d"), 0o711);
    await snapshots.settle();
    const after = modes();
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(modes()).toEqual(before);
    expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
    expect(modes()).toEqual(after);
    await snapshots.undo();
    rmSync(join(project.root, "d"), { recursive: true });
    await snapshots.undo();
    expect(existsSync(join(project.root, "d"))).toBe(false);
  });
});

test("a file that is written while the checkpoint is taken is read again, then named and left alone", async () => {
  const project = makeProject();
  project.write("calm.txt", "calm\n");
  project.write("busy.log", "0\n");
  // Somebody writes whenever git has just read, as often as the file says.
  const git = join(project.base, "git");
  const script = [
    "#!/bin/bash",
    'git "$@"; code=$?',
    `left=$(cat ${project.base}/times)`,
    `if [[ "$*" == *update-index*--add* && $left -gt 0 ]]; then`,
    `  echo $((left - 1)) > ${project.base}/times; echo "$left" >> ${project.root}/busy.log`,
    "fi",
    "exit $code",
  ];
  writeFileSync(git, script.join("\n"), { mode: 0o755 });
  writeFileSync(join(project.base, "times"), "2");
  const snapshots = await project.open({ git });
  expect((await snapshots.checkpoint("twice")).busy).toEqual([]);
  project.write("busy.log", "agent\n");
  await snapshots.settle();
  await snapshots.undo();
  expect(project.read("busy.log")).toBe("0\n2\n1\n");

  writeFileSync(join(project.base, "times"), "1000");
  project.write("busy.log", "again\n");
  expect((await snapshots.checkpoint("all the time")).busy).toEqual(["busy.log"]);
  project.write("calm.txt", "changed\n");
  await snapshots.settle();
  const written = project.read("busy.log");
  expect(await snapshots.undo()).toMatchObject({ kind: "moved", changes: [{ path: "calm.txt" }] });
  expect(project.read("calm.txt")).toBe("calm\n");
  expect(project.read("busy.log").startsWith(written)).toBe(true);
});

test("a file that was only touched does not block the undo", async () => {
  const project = makeProject();
  project.write("a", "one\n");
  const snapshots = await project.open();
  await snapshots.checkpoint("x");
  project.write("a", "two\n");
  await snapshots.settle();
  const touched = join(project.root, "a");
  chmodSync(touched, 0o600);
  chmodSync(touched, 0o644);
  expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
  expect(project.read("a")).toBe("one\n");
});

test("the difference since a checkpoint, until now and until the agent's last step", async () => {
  const project = makeProject();
  project.write("a.txt", "one\ntwo\n");
  project.write("gone.txt", "gone\n");
  project.write("old name.txt", "a long enough text\nto be known again\n");
  project.write("x.bin", Buffer.from([0, 1, 2]));
  const snapshots = await project.open();
  expect(await snapshots.diff()).toBeUndefined();
  await snapshots.checkpoint("first");
  project.write("a.txt", "one\n2\n");
  rmSync(join(project.root, "gone.txt"));
  renameSync(join(project.root, "old name.txt"), join(project.root, "new\tname.txt"));
  project.write("x.bin", Buffer.from([0, 3]));
  await snapshots.settle();
  project.write("mine.txt", "mine\n");
  const settled = await snapshots.diff({ until: "settled" });
  expect(settled).toMatchObject({
    id: 1,
    label: "first",
    files: [
      { path: "a.txt", kind: "changed", additions: 1, deletions: 1 },
      { path: "gone.txt", kind: "deleted", additions: 0, deletions: 1 },
      { path: "new\tname.txt", kind: "renamed", from: "old name.txt", additions: 0, deletions: 0 },
      { path: "x.bin", kind: "changed" },
    ],
    truncated: false,
  });
  expect(settled?.patch.split("\n")).toEqual(expect.arrayContaining(["--- a/a.txt", "-two", "+2"]));
  expect((await snapshots.diff({ id: 1 }))?.files.map(({ path }) => path)).toContain("mine.txt");
  expect(await snapshots.diff({ id: 9 })).toBeUndefined();
});
