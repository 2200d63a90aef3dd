import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProject } from "./snapshots-fixture.ts";

describe("whose change it was", () => {
  test("an edit, a command and a hook of one prompt over the same file are undone together", async () => {
    const project = makeProject();
    project.write("c.txt", "before\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("c.txt", "one\n");
    await snapshots.settle({ by: "person", edited: ["c.txt"] });
    project.write("c.txt", "two\n");
    await snapshots.settle({ by: "command" });
    project.write("c.txt", "two;\n");
    await snapshots.settle({ by: "hook" });
    expect(await snapshots.changes()).toEqual([{ path: "c.txt", kind: "changed", by: ["edit", "command", "hook"] }]);
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", changes: [{ path: "c.txt" }] });
    expect(project.read("c.txt")).toBe("before\n");
    await snapshots.redo();
    expect(project.read("c.txt")).toBe("two;\n");
  });

  test("what the person changes between two steps stays, also below a later change of the session", async () => {
    const project = makeProject();
    project.write("shared.txt", "1\n2\n3\n");
    project.write("theirs.txt", "old\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("shared.txt", "person\n2\n3\n");
    project.write("theirs.txt", "new\n");
    project.write("added.txt", "by the person\n");
    await snapshots.settle({ by: "person" });
    project.write("shared.txt", "person\n2\nagent\n");
    await snapshots.settle({ by: "command" });
    expect(await snapshots.undo()).toMatchObject({ kind: "moved", changes: [{ path: "shared.txt" }] });
    expect(project.read("shared.txt")).toBe("person\n2\n3\n");
    expect(project.read("theirs.txt")).toBe("new\n");
    expect(project.read("added.txt")).toBe("by the person\n");
    await snapshots.redo();
    expect(project.read("shared.txt")).toBe("person\n2\nagent\n");
  });

  test("what the person changes over the session's work is a conflict that shows what would be lost", async () => {
    const project = makeProject();
    project.write("a.txt", "before\n");
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.write("a.txt", "agent\n");
    await snapshots.settle({ by: "command" });
    project.write("a.txt", "agent and person\n");
    await snapshots.settle({ by: "person" });
    project.write("b.txt", "agent\n");
    await snapshots.settle({ by: "command" });
    const refused = await snapshots.undo();
    expect(refused).toMatchObject({ kind: "conflict", paths: ["a.txt"], by: { "a.txt": "person" } });
    expect(refused.kind === "conflict" && refused.patch).toContain("+agent and person");
    expect(project.read("a.txt")).toBe("agent and person\n");
    expect(existsSync(join(project.root, "b.txt"))).toBe(true);
    expect(await snapshots.undo({ force: true })).toMatchObject({ kind: "moved" });
    expect(project.read("a.txt")).toBe("before\n");
    expect(existsSync(join(project.root, "b.txt"))).toBe(false);
  });

  test.each(["before", "after"])("another session's edit stays, recorded %s this one looked", async (order) => {
    const project = makeProject();
    project.write("x.txt", "before\n");
    const [a, b] = [await project.open({ session: "a" }), await project.open({ session: "b" })];
    await a.checkpoint("a");
    await b.checkpoint("b");
    project.write("byB.txt", "b\n");
    project.write("x.txt", "b\n");
    const edited = { by: "person", edited: ["byB.txt", "x.txt"] } as const;
    if (order === "before") await b.settle(edited);
    project.write("byA.txt", "a\n");
    await a.settle({ by: "command" });
    if (order === "after") await b.settle(edited);
    expect(await a.undo()).toMatchObject({ kind: "moved", changes: [{ path: "byA.txt" }] });
    expect(project.read("byB.txt")).toBe("b\n");
    expect(project.read("x.txt")).toBe("b\n");
    expect(await b.undo()).toMatchObject({ kind: "moved" });
    expect(project.read("x.txt")).toBe("before\n");
    expect(existsSync(join(project.root, "byB.txt"))).toBe(false);
  });

  test("authors survive a new process", async () => {
    const project = makeProject();
    project.write("a.txt", "before\n");
    const first = await project.open();
    await first.checkpoint("x");
    project.write("a.txt", "agent\n");
    await first.settle({ by: "command" });
    await first.close();
    project.write("b.txt", "person\n");
    const second = await project.open();
    expect(await second.changes()).toEqual([
      { path: "a.txt", kind: "changed", by: ["command"] },
      { path: "b.txt", kind: "added", by: ["person"] },
    ]);
    await second.undo();
    expect(project.read("a.txt")).toBe("before\n");
    expect(project.read("b.txt")).toBe("person\n");
  });
});

describe("the index of the person's repository", () => {
  function makeRepository() {
    const project = makeProject();
    project.git("init", "-q");
    project.write("readme.md", "text\n");
    project.write("b.txt", "b\n");
    project.git("add", ".");
    project.git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "first");
    return project;
  }

  test("git mv, git rm and git add of the session are taken back and brought back", async () => {
    const project = makeRepository();
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.git("mv", "readme.md", "README.md");
    project.git("rm", "-q", "b.txt");
    project.write("new.txt", "new\n");
    project.git("add", "new.txt");
    await snapshots.settle({ by: "command" });
    const staged = project.git("status", "--porcelain");
    expect(staged).toBe("R  readme.md -> README.md\nD  b.txt\nA  new.txt\n");
    expect(await snapshots.undo()).toMatchObject({ kind: "moved" });
    expect(project.git("status", "--porcelain")).toBe("");
    expect(await snapshots.redo()).toMatchObject({ kind: "moved" });
    expect(project.git("status", "--porcelain")).toBe(staged);
  });

  test("what the person staged stays, and so does all of it after a commit", async () => {
    const project = makeRepository();
    const snapshots = await project.open();
    await snapshots.checkpoint("x");
    project.git("mv", "readme.md", "README.md");
    await snapshots.settle({ by: "command" });
    project.write("b.txt", "mine\n");
    project.git("add", "b.txt");
    await snapshots.undo();
    expect(project.git("status", "--porcelain")).toBe("M  b.txt\n");

    await snapshots.checkpoint("y");
    rmSync(join(project.root, "readme.md"));
    project.git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qam", "second");
    await snapshots.settle({ by: "command" });
    await snapshots.undo();
    expect(project.git("status", "--porcelain")).toBe("?? readme.md\n");
  });
});

test("what a command of another session made at the same time stays, whichever of the two looked first", async () => {
  const project = makeProject();
  project.write("x.txt", "one\n");
  const a = await project.open({ session: "a" });
  const b = await project.open({ session: "b" });
  await a.checkpoint("a");
  await b.checkpoint("b");
  project.write("byB.txt", "b\n");
  project.write("x.txt", "b\n");
  await a.settle();
  await b.settle();
  await a.undo();
  expect(project.read("byB.txt")).toBe("b\n");
  expect(project.read("x.txt")).toBe("b\n");
});
