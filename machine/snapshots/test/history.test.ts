import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectoryHistory, NoSnapshot, SnapshotsUnavailable } from "../src/index.ts";
import { makeProject, type Project, pictureOf } from "./snapshots-fixture.ts";

async function openHistory(project: Project, options: Partial<Parameters<typeof DirectoryHistory.open>[0]> = {}) {
  const history = await DirectoryHistory.open({
    root: project.root,
    directory: join(project.base, "store"),
    ...options,
  });
  onTestFinished(() => history.close());
  return history;
}

/** A turn in which some work is done. */
async function turn(history: DirectoryHistory, place: { session: string; turn: number }, work: () => void) {
  expect(await history.begin(place)).toMatchObject({ kind: "taken" });
  work();
  expect(await history.end(place)).toMatchObject({ kind: "taken" });
}

const a = (turn: number) => ({ session: "a", turn });
const b = (turn: number) => ({ session: "b", turn });

describe("a rewind", () => {
  test("takes back what the session made after a turn, and can be taken back itself", async () => {
    const project = makeProject();
    project.write("src/x.ts", "one\n");
    project.write("gone.txt", "here\n");
    const history = await openHistory(project);
    await turn(history, a(1), () => project.write("src/x.ts", "two\n"));
    const afterFirst = pictureOf(project.root);
    await turn(history, a(2), () => {
      project.write("src/x.ts", "three\n");
      project.write("new/y.ts", "y\n");
      rmSync(join(project.root, "gone.txt"));
      symlinkSync("src/x.ts", join(project.root, "link"));
      chmodSync(join(project.root, "src"), 0o700);
    });
    const afterSecond = pictureOf(project.root);
    const preview = await history.preview({ session: "a", to: 1 });
    expect(pictureOf(project.root)).toEqual(afterSecond);
    const command = [{ session: "a", turn: 2, how: "command" }];
    expect(preview).toEqual({
      changes: [
        { path: "gone.txt", change: "added", by: command },
        { path: "link", change: "removed", by: command },
        { path: "new/", change: "removed", by: [] },
        { path: "new/y.ts", change: "removed", by: command },
        { path: "src/", change: "restored", by: command },
        { path: "src/x.ts", change: "restored", by: command },
      ],
      conflicts: [],
      kept: [],
    });
    const moved = await history.rewind({ session: "a", to: 1 });
    expect(moved).toMatchObject({ kind: "moved", changes: preview.changes });
    expect(pictureOf(project.root)).toEqual(afterFirst);
    const token = moved.kind === "moved" ? moved.undo : "";
    expect(await history.undo({ session: "a", token })).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(afterSecond);
    await expect(history.undo({ session: "a", token })).rejects.toThrow(NoSnapshot);
    expect(await history.rewind({ session: "a", to: 0 })).toMatchObject({ kind: "moved" });
    expect(project.read("src/x.ts")).toBe("one\n");
    await expect(history.preview({ session: "a", to: 7 })).rejects.toThrow(NoSnapshot);
  });

  test("leaves what the person changed between two turns, below and beside the session's own", async () => {
    const project = makeProject();
    project.write("x.ts", "one\n");
    project.write("both.ts", "one\n");
    const history = await openHistory(project);
    await turn(history, a(1), () => project.write("x.ts", "agent\n"));
    project.write("mine.ts", "person\n");
    project.write("both.ts", "person\n");
    await turn(history, a(2), () => project.write("both.ts", "agent\n"));
    expect(await history.rewind({ session: "a", to: 0 })).toMatchObject({ kind: "moved", conflicts: [] });
    expect(project.read("x.ts")).toBe("one\n");
    expect(project.read("mine.ts")).toBe("person\n");
    expect(project.read("both.ts")).toBe("person\n");
  });

  test("of a file that the person changed afterwards is a conflict that changes nothing, unless it is forced", async () => {
    const project = makeProject();
    project.write("x.ts", "one\n");
    const history = await openHistory(project);
    await turn(history, a(1), () => {
      project.write("x.ts", "agent\n");
      project.write("y.ts", "agent\n");
    });
    project.write("x.ts", "person\n");
    const refused = await history.rewind({ session: "a", to: 0 });
    expect(refused).toMatchObject({
      kind: "conflict",
      conflicts: [{ path: "x.ts", reason: "changed_since", by: [{ how: "person" }] }],
    });
    expect(project.read("x.ts")).toBe("person\n");
    expect(project.read("y.ts")).toBe("agent\n");
    const moved = await history.rewind({ session: "a", to: 0, force: ["x.ts"] });
    expect(moved).toMatchObject({ kind: "moved" });
    expect(project.read("x.ts")).toBe("one\n");
    expect(existsSync(join(project.root, "y.ts"))).toBe(false);
    await history.undo({ session: "a", token: moved.kind === "moved" ? moved.undo : "" });
    expect(project.read("x.ts")).toBe("person\n");
  });

  test("never touches what another session made, whichever of them was looked at first", async () => {
    const project = makeProject();
    project.write("x.ts", "one\n");
    const history = await openHistory(project);
    await history.begin(a(1));
    project.write("byA.ts", "a\n");
    await history.begin(b(1));
    project.write("byB.ts", "b\n");
    project.write("x.ts", "b\n");
    history.edited({ ...b(1), call: "call_1", paths: ["byB.ts", join(project.root, "x.ts")] });
    project.write("whose.ts", "?\n");
    await history.end(a(1));
    await history.end(b(1));
    const refused = await history.rewind({ session: "a", to: 0 });
    expect(refused).toMatchObject({ kind: "conflict", conflicts: [{ path: "whose.ts", reason: "changed_since" }] });
    expect(refused.changes).toEqual([
      { path: "byA.ts", change: "removed", by: [{ session: "a", turn: 1, how: "command" }] },
    ]);
    rmSync(join(project.root, "whose.ts"));
    expect(await history.rewind({ session: "a", to: 0 })).toMatchObject({ kind: "moved" });
    expect(existsSync(join(project.root, "byA.ts"))).toBe(false);
    expect(project.read("byB.ts")).toBe("b\n");
    expect(project.read("x.ts")).toBe("b\n");
    expect(await history.rewind({ session: "b", to: 0 })).toMatchObject({ kind: "moved" });
    expect(project.read("x.ts")).toBe("one\n");
  });

  test("of a file and of one below it, which cannot both come back, is a conflict in the preview already", async () => {
    const project = makeProject();
    project.write("x/y.ts", "one\n");
    const history = await openHistory(project);
    await turn(history, a(1), () => project.write("z.ts", "one\n"));
    await turn(history, a(2), () => rmSync(join(project.root, "x"), { recursive: true }));
    await turn(history, b(1), () => project.write("x", "of the other\n"));
    await turn(history, a(3), () => rmSync(join(project.root, "x")));
    const before = pictureOf(project.root);
    const { conflicts } = await history.preview({ session: "a", to: 1 });
    expect(conflicts).toMatchObject([{ path: "x", reason: "in_the_way" }]);
    expect(await history.rewind({ session: "a", to: 1, force: ["x"] })).toMatchObject({ kind: "conflict", conflicts });
    expect(pictureOf(project.root)).toEqual(before);
  });

  test("to a directory that is a link now tells nothing of what lies behind the link", async () => {
    const project = makeProject();
    project.write("x/y.ts", "one\n");
    mkdirSync(join(project.root, "other/y.ts"), { recursive: true });
    const history = await openHistory(project);
    await turn(history, a(1), () => project.write("z.ts", "one\n"));
    const afterFirst = pictureOf(project.root);
    await turn(history, a(2), () => {
      rmSync(join(project.root, "x"), { recursive: true });
      symlinkSync("other", join(project.root, "x"));
    });
    const { changes } = await history.preview({ session: "a", to: 1 });
    expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual(["removed x", "added x/", "added x/y.ts"]);
    expect(await history.rewind({ session: "a", to: 1 })).toMatchObject({ kind: "moved" });
    expect(pictureOf(project.root)).toEqual(afterFirst);
  });

  test("leaves ignored files, also where they have come to stand in the way of a file", async () => {
    const project = makeProject();
    project.write(".gitignore", "*.log\n");
    project.write("keep.log", "person\n");
    project.write("moved.log", "person too\n");
    project.write("x.ts", "one\n");
    const history = await openHistory(project);
    await turn(history, a(1), () => {
      project.write("keep.log", "agent\n");
      rmSync(join(project.root, "x.ts"));
      mkdirSync(join(project.root, "x.ts"));
      renameSync(join(project.root, "moved.log"), join(project.root, "x.ts", "moved.log"));
    });
    const refused = await history.rewind({ session: "a", to: 0 });
    expect(refused).toMatchObject({
      kind: "conflict",
      conflicts: [{ path: "x.ts/moved.log", reason: "in_the_way" }],
    });
    expect(project.read("x.ts/moved.log")).toBe("person too\n");
    renameSync(join(project.root, "x.ts", "moved.log"), join(project.root, "moved.log"));
    rmSync(join(project.root, "x.ts"), { recursive: true });
    expect(await history.rewind({ session: "a", to: 0, force: ["x.ts"] })).toMatchObject({ kind: "moved" });
    expect(project.read("x.ts")).toBe("one\n");
    expect(project.read("keep.log")).toBe("agent\n");
  });
});

describe("where there can be no history", () => {
  test("the root, the home directory and a directory above a closed one are refused with the reason", async () => {
    const project = makeProject();
    const directory = join(project.base, "store");
    const open = (root: string, closed: string[] = []) => DirectoryHistory.open({ root, directory, closed });
    await expect(open("/")).rejects.toThrow(SnapshotsUnavailable);
    await expect(open(homedir())).rejects.toThrow("home directory");
    mkdirSync(join(project.root, "data"));
    await expect(open(project.root, [join(project.root, "data")])).rejects.toThrow("lies inside");
    await expect(open(project.root)).resolves.toBeDefined();
  });
});
