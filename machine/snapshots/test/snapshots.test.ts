import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SnapshotsUnavailable } from "../src/index.ts";
import { makeProject, type Project, pictureOf } from "./snapshots-fixture.ts";

describe("undo", () => {
  test("after rm -rf src in the shell everything is back, untracked and binary files too, and the user's git is untouched", async () => {
    const project = makeProject();
    project.git("init", "-q", "-b", "main");
    project.write("src/tracked.ts", "export const a = 1;\n");
    project.write("README.md", "# read me\r\nwith CRLF\r\n");
    project.git("add", ".");
    project.git("commit", "-qm", "first");
    project.write("src/staged.ts", "staged\n");
    project.git("add", "src/staged.ts");
    project.write("src/tracked.ts", "export const a = 2; // not staged\n");
    project.write("src/untracked/deep/file.txt", "untracked\n");
    project.write("src/binary.bin", randomBytes(100_000));
    project.write("src/run.sh", "#!/bin/sh\n");
    chmodSync(join(project.root, "src/run.sh"), 0o755);
    project.write("src/secret.key", "secret\n");
    chmodSync(join(project.root, "src/secret.key"), 0o600);
    symlinkSync("../README.md", join(project.root, "src/link"));
    symlinkSync("/nowhere/at/all", join(project.root, "src/dangling"));
    mkdirSync(join(project.root, "src/empty/inner"), { recursive: true });
    for (const hook of ["post-checkout", "post-index-change", "pre-commit"]) {
      writeFileSync(join(project.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${project.base}/hook-ran\n`, {
        mode: 0o755,
      });
    }
    const before = pictureOf(project.root);

    const snapshots = await project.open();
    await snapshots.checkpoint("remove src");
    execFileSync("sh", ["-c", "rm -rf src && echo changed >README.md && echo new >added.txt"], { cwd: project.root });
    await snapshots.settle();
    const after = pictureOf(project.root);
    expect(after).not.toEqual(before);

    expect(await snapshots.undo()).toMatchObject({ kind: "moved", id: 1, label: "remove src" });
    expect(pictureOf(project.root)).toEqual(before);
    expect(await snapshots.redo()).toMatchObject({ kind: "moved", id: 1 });
    expect(pictureOf(project.root)).toEqual(after);
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(before);
    expect(existsSync(join(project.base, "hook-ran"))).toBe(false);
  });

  test("a directory that is no repository, and an empty one, are undone as well", async () => {
    const project = makeProject();
    const snapshots = await project.open();
    await snapshots.checkpoint("from nothing");
    project.write("a/b.txt", "made\n");
    await snapshots.settle();
    await snapshots.checkpoint("second");
    project.write("a/b.txt", "changed\n");
    rmSync(join(project.root, "a"), { recursive: true });
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "a/b.txt", kind: "added" }] });
    expect(project.read("a/b.txt")).toBe("made\n");
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "a/b.txt", kind: "deleted" }] });
    expect(readdirSync(project.root)).toEqual([]);
    expect(await snapshots.undo()).toEqual({ kind: "nothing" });
  });

  test("a repository without any commit is left as it is", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write("a.txt", "one\n");
    const git = pictureOf(join(project.root, ".git"));
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("a.txt", "two\n");
    await snapshots.undo();
    expect(project.read("a.txt")).toBe("one\n");
    expect(pictureOf(join(project.root, ".git"))).toEqual(git);
  });

  test("what the user changed after the agent's last step stays", async () => {
    const project = makeProject();
    project.write("agent.txt", "old\n");
    project.write("user.txt", "old\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("work");
    project.write("agent.txt", "by the agent\n");
    await snapshots.settle();
    project.write("user.txt", "by the user\n");
    project.write("user-new.txt", "new\n");
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", changes: [{ path: "agent.txt", kind: "changed" }] });
    expect([project.read("agent.txt"), project.read("user.txt"), project.read("user-new.txt")]).toEqual([
      "old\n",
      "by the user\n",
      "new\n",
    ]);
    expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
    expect(project.read("agent.txt")).toBe("by the agent\n");
    expect(project.read("user.txt")).toBe("by the user\n");
  });

  test("a file both have changed is a conflict that changes nothing, unless it is forced", async () => {
    const project = makeProject();
    project.write("both.txt", "old\n");
    project.write("agent.txt", "old\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("work");
    project.write("both.txt", "agent\n");
    project.write("agent.txt", "agent\n");
    await snapshots.settle();
    project.write("both.txt", "user\n");
    const before = pictureOf(project.root);
    expect(await snapshots.undo()).toMatchObject({ kind: "conflict", id: 1, paths: ["both.txt"] });
    expect(pictureOf(project.root)).toEqual(before);
    expect(await snapshots.undo({ force: true })).toMatchObject({ kind: "moved" });
    expect([project.read("both.txt"), project.read("agent.txt")]).toEqual(["old\n", "old\n"]);
  });

  test("a new checkpoint ends what could be redone", async () => {
    const project = makeProject();
    const snapshots = await project.open();
    await snapshots.checkpoint("one");
    project.write("a", "1");
    await snapshots.undo();
    await snapshots.checkpoint("two");
    expect(await snapshots.redo()).toEqual({ kind: "nothing" });
    expect(snapshots.list().map(({ id, label }) => [id, label])).toEqual([[2, "two"]]);
  });

  test("a checkpoint further back can be restored, and that can be undone", async () => {
    const project = makeProject();
    const snapshots = await project.open();
    for (const content of ["one", "two", "three"]) {
      project.write("a", content);
      await snapshots.checkpoint(content);
    }
    project.write("a", "four");
    expect(await snapshots.restore(1)).toMatchObject({ kind: "moved", id: 1 });
    expect(project.read("a")).toBe("one");
    await snapshots.undo();
    expect(project.read("a")).toBe("four");
    expect(await snapshots.restore(77)).toEqual({ kind: "nothing" });
  });

  test("the timeline survives the program, and sessions do not see each other's", async () => {
    const project = makeProject();
    project.write("a", "one");
    const first = await project.open({ session: "s1" });
    await first.checkpoint("prompt");
    project.write("a", "two");
    await first.settle();
    await first.close();
    const other = await project.open({ session: "s2" });
    expect(other.list()).toEqual([]);
    const again = await project.open({ session: "s1" });
    expect(again.list()).toMatchObject([{ id: 1, label: "prompt" }]);
    expect(await again.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("a")).toBe("one");
  });
});

describe("what a snapshot holds", () => {
  test("ignored files are neither recorded nor touched", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write(".gitignore", "dist/\n*.log\n");
    project.write("node_modules/x/index.js", "module\n");
    project.write("dist/out.js", "built\n");
    project.write("nested/.gitignore", "local\n");
    project.write("nested/local", "mine\n");
    writeFileSync(join(project.root, ".git/info/exclude"), "private\n");
    project.write("private", "notes\n");
    project.write("a.txt", "one\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    for (const path of ["dist/out.js", "node_modules/x/index.js", "nested/local", "private", "a.txt", "new.log"]) {
      project.write(path, "changed\n");
    }
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "a.txt" }] });
    expect(project.read("a.txt")).toBe("one\n");
    for (const path of ["dist/out.js", "node_modules/x/index.js", "nested/local", "private", "new.log"]) {
      expect(project.read(path)).toBe("changed\n");
    }
  });

  test("a file the user committed although it is ignored comes back", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write(".gitignore", "dist/\n");
    project.write("dist/kept.js", "kept\n");
    project.git("add", "-f", ".");
    project.git("commit", "-qm", "first");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    rmSync(join(project.root, "dist"), { recursive: true });
    await snapshots.undo();
    expect(project.read("dist/kept.js")).toBe("kept\n");
  });

  test("a project inside a larger repository obeys the rules above it", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write(".gitignore", "*.tmp\n/packages/a/out\n");
    project.write("packages/a/x.tmp", "1");
    project.write("packages/a/out/y", "1");
    project.write("packages/a/z.ts", "1");
    const snapshots = await project.open({ root: join(project.root, "packages/a") });
    await snapshots.checkpoint("x");
    for (const name of ["x.tmp", "out/y", "z.ts"]) project.write(`packages/a/${name}`, "2");
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "z.ts" }] });
    expect(project.read("packages/a/out/y")).toBe("2");
  });

  test("bytes stay bytes, whatever attributes and filters the project has", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.git("config", "core.autocrlf", "true");
    project.git("config", "filter.shout.clean", "tr a-z A-Z");
    project.git("config", "filter.shout.required", "true");
    project.write(
      ".gitattributes",
      "* text=auto eol=lf\n*.up filter=shout\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n",
    );
    const contents: Record<string, Buffer> = {
      "mixed.txt": Buffer.from("a\r\nb\nc\r\n"),
      "x.up": Buffer.from("quiet\n"),
      "x.id": Buffer.from("$Id$ and $Id: abc $\n"),
      "x.u16": Buffer.from([0xff, 0xfe, 0x61, 0x00]),
      "no-newline": Buffer.from("end"),
      "nul.bin": Buffer.from([0, 1, 2, 13, 10, 255]),
      empty: Buffer.alloc(0),
    };
    for (const [path, content] of Object.entries(contents)) project.write(path, content);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    for (const path of Object.keys(contents)) rmSync(join(project.root, path));
    await snapshots.undo();
    for (const [path, content] of Object.entries(contents)) {
      expect(readFileSync(join(project.root, path)).equals(content), path).toBe(true);
    }
  });

  test("names of every kind come back", async () => {
    const project = makeProject();
    const names = [
      "with space",
      "-dash",
      "quote'\"",
      "new\nline",
      "tab\t",
      "ünï 😀",
      "back\\slash",
      "*.glob?[x]",
      ":(top)x",
      "#c",
    ];
    for (const name of names) project.write(`d/${name}`, name);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    rmSync(join(project.root, "d"), { recursive: true });
    await snapshots.undo();
    expect(readdirSync(join(project.root, "d")).sort()).toEqual([...names].sort());
    for (const name of names) expect(project.read(`d/${name}`)).toBe(name);
  });

  test("files, directories and links that changed places change back", async () => {
    const project = makeProject();
    project.write("file", "f");
    project.write("directory/a", "a");
    project.write("directory/b", "b");
    project.write("target/a", "other a");
    symlinkSync("target", join(project.root, "link"));
    const before = pictureOf(project.root);
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    rmSync(join(project.root, "file"));
    project.write("file/inner", "now a directory");
    rmSync(join(project.root, "directory"), { recursive: true });
    symlinkSync("target", join(project.root, "directory"));
    rmSync(join(project.root, "link"));
    project.write("link/x", "now a directory");
    await snapshots.settle();
    const after = pictureOf(project.root);
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(before);
    expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(after);
  });

  test("a changed executable bit is undone", async () => {
    const project = makeProject();
    project.write("run.sh", "#!/bin/sh\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    chmodSync(join(project.root, "run.sh"), 0o755);
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "run.sh", kind: "changed" }] });
    expect(lstatSync(join(project.root, "run.sh")).mode & 0o111).toBe(0);
  });

  test("repositories inside the project and submodules are told of and never touched", async () => {
    const project = makeProject();
    const library = makeProject();
    library.git("init", "-q");
    library.write("lib.c", "library\n");
    library.git("add", ".");
    library.git("commit", "-qm", "first");
    project.git("init", "-q");
    project.git("submodule", "--quiet", "add", library.root, "sub");
    project.git("init", "-q", "without-commit");
    project.write("without-commit/a", "1");
    project.git("clone", "-q", library.root, "vendor/clone");
    project.write("own.txt", "own\n");
    const snapshots = await project.open();
    const checkpoint = await snapshots.checkpoint("x");
    expect(checkpoint.nested.sort()).toEqual(["sub", "vendor/clone", "without-commit"]);
    project.write("sub/lib.c", "changed\n");
    project.write("without-commit/a", "2");
    rmSync(join(project.root, "own.txt"));
    const nested = ["sub", "without-commit", "vendor"].map((name) => pictureOf(join(project.root, name)));
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "own.txt" }] });
    expect(["sub", "without-commit", "vendor"].map((name) => pictureOf(join(project.root, name)))).toEqual(nested);
  });

  test("a file too large is left out and told of", async () => {
    const project = makeProject();
    project.write("large", Buffer.alloc(2000));
    project.write("small", "s");
    const snapshots = await project.open({ maxFileBytes: 1000 });
    expect((await snapshots.checkpoint("x")).skipped).toEqual(["large"]);
    rmSync(join(project.root, "large"));
    rmSync(join(project.root, "small"));
    expect(await snapshots.undo()).toMatchObject({ changes: [{ path: "small" }] });
  });

  test("more new files than are allowed at once are refused", async () => {
    const project = makeProject();
    for (const name of ["a", "b", "c"]) project.write(name, name);
    const snapshots = await project.open({ maxFiles: 2 });
    await expect(snapshots.checkpoint("x")).rejects.toThrow("3 files");
    rmSync(join(project.root, "c"));
    expect(await snapshots.checkpoint("x")).toMatchObject({ id: 1 });
  });

  test("what somebody else has put in the way is a conflict, and nothing is changed", async () => {
    const project = makeProject();
    project.write(".gitignore", "precious\n");
    project.write("thing", "file\n");
    project.write("other", "1\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    rmSync(join(project.root, "thing"));
    project.write("other", "2\n");
    await snapshots.settle();
    project.write("thing/mine", "do not lose\n");
    const before = pictureOf(project.root);
    expect(await snapshots.undo()).toMatchObject({ kind: "conflict", id: 1, paths: ["thing/mine"] });
    expect(pictureOf(project.root)).toEqual(before);
    rmSync(join(project.root, "thing"), { recursive: true });
    // An ignored one is not recorded, and so not even force may take it away.
    project.write("thing/precious", "do not lose\n");
    for (const force of [false, true]) {
      expect(await snapshots.undo({ force })).toMatchObject({
        kind: "blocked",
        reason: expect.stringContaining("thing/precious"),
      });
    }
    expect(project.read("thing/precious")).toBe("do not lose\n");
    rmSync(join(project.root, "thing"), { recursive: true });
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("thing")).toBe("file\n");
  });
});

describe("the store", () => {
  test("garbage collection keeps what can be undone and forgets what is old", async () => {
    const project = makeProject();
    project.write("a", "one");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("a", "two");
    await snapshots.settle();
    await snapshots.collectGarbage();
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("a")).toBe("one");
    await snapshots.redo();
    await snapshots.collectGarbage(-1);
    expect(snapshots.list()).toEqual([]);
    await snapshots.checkpoint("y");
    project.write("a", "three");
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("a")).toBe("two");
  });

  test("contents lost from the store are read again instead of failing every prompt", async () => {
    const project = makeProject();
    project.write("a", "one");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    const [store = ""] = readdirSync(join(project.base, "store"));
    const objects = join(project.base, "store", store, "git", "objects");
    rmSync(objects, { recursive: true });
    mkdirSync(objects);
    await snapshots.checkpoint("y");
    project.write("a", "two");
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("a")).toBe("one");
  });

  test("git variables of the surrounding process lead nowhere", async () => {
    const project = makeProject();
    project.git("init", "-q");
    project.write("a", "one");
    const git = pictureOf(join(project.root, ".git"));
    const variables = {
      GIT_DIR: join(project.root, ".git"),
      GIT_INDEX_FILE: join(project.root, ".git/index"),
      GIT_WORK_TREE: "/",
    };
    Object.assign(process.env, variables);
    onTestFinished(() => {
      for (const name of Object.keys(variables)) delete process.env[name];
    });
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("a", "two");
    await snapshots.undo();
    expect(project.read("a")).toBe("one");
    expect(pictureOf(join(project.root, ".git"))).toEqual(git);
  });

  test("calls at the same time are done one after the other", async () => {
    const project = makeProject();
    project.write("a", "one");
    const snapshots = await project.open();
    await snapshots.prepare();
    const infos = await Promise.all(["1", "2", "3"].map((label) => snapshots.checkpoint(label)));
    expect(infos.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test.each([
    ["the home directory", (_: Project) => ({ root: homedir() })],
    ["the root of the disk", (_: Project) => ({ root: "/" })],
    ["a store inside the project", (project: Project) => ({ directory: join(project.root, ".store") })],
    ["a machine without git", (_: Project) => ({ git: "no-such-git" })],
    ["a session name that is a path", (_: Project) => ({ session: "../x" })],
  ])("%s has no snapshots, with a reason", async (_, options) => {
    const project = makeProject();
    await expect(project.open(options(project))).rejects.toThrow(SnapshotsUnavailable);
  });
});
