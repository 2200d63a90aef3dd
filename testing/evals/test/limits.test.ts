import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkWork } from "../src/check/check-work.ts";
import { findWalls } from "../src/walls/walls.ts";
import { copyTask, makeFolder, runOnce } from "./eval-world.ts";

const settings = async (id: string, more: string) => {
  const task = await copyTask(id, {});
  return { "task.toml": (await readFile(join(task.folder, "task.toml"), "utf8")).replace(/\[limits\][\s\S]*/, more) };
};

test("a run that takes longer than its seconds is late, and its work does not count", async () => {
  const files = await settings("ts-pages", "[limits]\nseconds = 3\n");
  const task = await copyTask("ts-pages", files);
  const solve = await readFile(join(task.folder, "solution", "solve.sh"), "utf8");
  const late = await copyTask("ts-pages", { ...files, "solution/solve.sh": `${solve}\nsleep 600\n` });
  expect(await runOnce(late)).toMatchObject({ outcome: "late", passed: false });
});

test("an agent that calls more tools than its steps is ended", async () => {
  const task = await copyTask("ts-pages", await settings("ts-pages", "[limits]\nsteps = 1\n"));
  // The mock's prompt `demo` calls several tools; a task's instruction reaches it as it is when nothing is scripted.
  const result = await runOnce({ ...task, instruction: "demo" }, { plan: { scripted: undefined } });
  expect(result).toMatchObject({ outcome: "too_many_steps", passed: false });
  expect(result.steps).toBe(2);
});

test("a task that cannot be begun is an error with its reason, and no other is ended by it", async () => {
  const task = await copyTask("ts-pages", { "setup.sh": "echo no disk here >&2; exit 3\n" });
  const result = await runOnce(task);
  expect(result).toMatchObject({ outcome: "error", passed: false });
  expect(result.reason).toContain("no disk here");
});

test("a check that hangs is ended, and the run has failed with that reason", async () => {
  const files = await settings("ts-pages", "[check]\nseconds = 2\n");
  const task = await copyTask("ts-pages", { ...files, "tests/check.sh": "sleep 600\n" });
  const result = await runOnce(task);
  expect(result).toMatchObject({ outcome: "failed", score: 0 });
  expect(result.reason).toContain("longer than 2 s");
});

test("a check that tells a number gives a score between", async () => {
  const task = await copyTask("ts-pages", { "tests/check.sh": 'echo 0.25 > "$REWARD"\n' });
  expect(await runOnce(task)).toMatchObject({ outcome: "failed", passed: false, score: 0.25 });
});

test("test configuration is put back as the task began with it, unless the task says it is the agent's", async () => {
  const see = 'cat "$WORK/package.json" "$WORK/conftest.py"; exit 1\n';
  const work = join(await makeFolder(), "work");
  await mkdir(work);
  await writeFile(join(work, "package.json"), '{"changed":true}');
  await writeFile(join(work, "conftest.py"), "changed = True\n");
  const walls = await findWalls();
  const task = await copyTask("ts-pages", { "tests/check.sh": see });
  const verdict = await checkWork(task, { work, folder: join(await makeFolder(), "check"), walls });
  expect(verdict.restored).toEqual(["conftest.py", "package.json"]);
  expect(verdict.output).not.toContain("changed");
  const kept = { ...task, check: { ...task.check, keeps: ["package.json"] } };
  const other = await checkWork(kept, { work, folder: join(await makeFolder(), "check"), walls });
  expect(other.restored).toEqual(["conftest.py"]);
  expect(other.output).toContain('{"changed":true}');
});
