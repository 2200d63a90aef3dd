import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CannotMaterialize, DirectoryHistory, type HistoryOptions, NoSnapshot } from "../src/index.ts";
import { makeProject, type Project, pictureOf } from "./snapshots-fixture.ts";

test("a new directory is what the old one was at a turn's end, with its turns, and goes on by itself", async () => {
  const project = makeProject();
  project.git("init", "-q");
  project.write(".gitignore", "*.log\n");
  project.write("x.ts", "zero\n");
  const history = await openHistory(project);
  await turn(history, 1, () => project.write("x.ts", "one\n"));
  const afterFirst = pictureOf(project.root, { except: [".git"] });
  await turn(history, 2, () => {
    project.write("x.ts", "two\n");
    project.write("only.ts", "two\n");
  });
  project.write("ignored.log", "log\n");
  const into = join(project.base, "fork");
  expect(await history.materialize({ session: "a", turn: 1, into })).toEqual({
    how: "copy",
    files: 2,
    asNow: [".git"],
  });
  expect(pictureOf(into, { except: [".git"] })).toEqual(afterFirst);
  const fork = await openHistory(project, { root: into });
  await fork.inherit({ from: history, session: "a", at: 1, as: "f" });
  await fork.begin({ session: "f", turn: 2 });
  writeFileSync(join(into, "y.ts"), "fork\n");
  await fork.end({ session: "f", turn: 2 });
  const place = { session: "a", turn: 2 };
  const { files } = await history.compare({ place, other: fork, otherPlace: { session: "f", turn: 2 } });
  expect(files.map(({ path, change }) => `${change} ${path}`)).toEqual([
    "deleted only.ts",
    "changed x.ts",
    "added y.ts",
  ]);
  expect(await fork.rewind({ session: "f", to: 0 })).toMatchObject({ kind: "moved" });
  expect(pictureOf(into, { except: [".git"] })).toMatchObject({ "x.ts": expect.anything() });
  expect(readdirSync(into).sort()).toEqual([".git", ".gitignore", "x.ts"]);
  expect(project.read("x.ts")).toBe("two\n");
  await expect(history.materialize({ session: "a", turn: 1, into })).rejects.toThrow(CannotMaterialize);
  expect(readdirSync(project.base).filter((name) => name.includes("making"))).toEqual([]);
});

test("a worktree has the files of the turn's end and the person's repository", async () => {
  const project = makeProject();
  project.git("init", "-q");
  project.write("x.ts", "zero\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "first");
  const history = await openHistory(project);
  await turn(history, 1, () => project.write("x.ts", "one\n"));
  const into = join(project.base, "tree");
  expect(await history.materialize({ session: "a", turn: 1, into, how: "worktree" })).toMatchObject({
    how: "worktree",
  });
  expect(project.git("-C", into, "status", "--porcelain")).toBe(" M x.ts\n");
  expect(project.git("worktree", "list").split("\n")[1]).toContain(into);
});

test("a difference says who made it, and what an edit tool named by its call", async () => {
  const project = makeProject();
  project.write("x.ts", "zero\n");
  const history = await openHistory(project);
  await turn(history, 1, () => {
    project.write("x.ts", "one\n");
    history.edited({ session: "a", turn: 1, call: "call_1", paths: ["x.ts", "/elsewhere/y.ts"] });
  });
  project.write("mine.ts", "person\n");
  const { files, truncated } = await history.diff({ session: "a", from: 0 });
  expect(truncated).toBe(false);
  expect(files.map(({ path, change, by }) => ({ path, change, by }))).toEqual([
    { path: "mine.ts", change: "added", by: [{ how: "person" }] },
    { path: "x.ts", change: "changed", by: [{ session: "a", turn: 1, call: "call_1", how: "edit" }] },
  ]);
  expect(files[1]?.diff).toContain("-zero\n+one\n");
});

test("a look that may not take so much is skipped with the reason, and what it would have seen is in doubt", async () => {
  const project = makeProject();
  project.write("x.ts", "zero\n");
  const history = await openHistory(project, { limits: { snapshotFiles: 2, snapshotBytes: 1_000 } });
  await history.begin({ session: "a", turn: 1 });
  for (const name of ["a", "b", "c"]) project.write(name, "agent\n");
  expect(await history.end({ session: "a", turn: 1 })).toMatchObject({ kind: "skipped", reason: "too_many_files" });
  for (const name of ["a", "b", "c"]) rmSync(join(project.root, name));
  project.write("big", "x".repeat(2_000));
  expect(await history.begin({ session: "a", turn: 2 })).toMatchObject({ kind: "skipped", reason: "too_many_bytes" });
  project.write("big", "person\n");
  expect(await history.end({ session: "a", turn: 2 })).toMatchObject({ kind: "taken" });
  const { conflicts } = await history.preview({ session: "a", to: 0 });
  expect(conflicts).toMatchObject([{ path: "big", reason: "changed_since" }]);
});

test("the oldest snapshots go when a store is larger than it may be, and the rest can still be had", async () => {
  const project = makeProject();
  const history = await openHistory(project, { limits: { storeBytes: 600_000 } });
  for (let number = 1; number <= 8; number++) {
    await turn(history, number, () => writeFileSync(join(project.root, "x"), randomText(150_000)));
  }
  await history.collect();
  expect(history.has({ session: "a", turn: 1 })).toBe(false);
  expect(history.has({ session: "a", turn: 8 })).toBe(true);
  await expect(history.preview({ session: "a", to: 1 })).rejects.toThrow(NoSnapshot);
  expect(await history.rewind({ session: "a", to: 7 })).toMatchObject({ kind: "moved" });
  await history.close();
  const again = await openHistory(project);
  expect(again.turnsOf("a")).toEqual(history.turnsOf("a"));
});

async function openHistory(project: Project, options: Partial<HistoryOptions> = {}): Promise<DirectoryHistory> {
  const directory = join(project.base, "store");
  const history = await DirectoryHistory.open({ root: project.root, directory, ...options });
  onTestFinished(() => history.close());
  return history;
}

async function turn(history: DirectoryHistory, number: number, work: () => void): Promise<void> {
  expect(await history.begin({ session: "a", turn: number })).toMatchObject({ kind: "taken" });
  work();
  expect(await history.end({ session: "a", turn: number })).toMatchObject({ kind: "taken" });
}

function randomText(length: number): string {
  return Array.from({ length: length / 10 }, () => Math.random().toString(36).slice(2, 12)).join("");
}
