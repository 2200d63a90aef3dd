import { isLong } from "@muster/chaos";
import { expect, test } from "vitest";
import { checkTask } from "../src/task/check-task.ts";
import { readSuite } from "../src/task/read-suite.ts";
import { findWalls } from "../src/walls/walls.ts";
import { runOnce, suite, tenTasks } from "./eval-world.ts";

const tasks = await readSuite(suite, isLong ? [] : tenTasks);

test("25 tasks are shipped, in TypeScript, Python and shell, of every kind", async () => {
  const all = await readSuite(suite);
  expect(all).toHaveLength(25);
  const tags = new Set(all.flatMap((task) => task.tags));
  for (const tag of ["bug", "feature", "refactoring", "search", "git", "shell", "typescript", "python"]) {
    expect(tags).toContain(tag);
  }
});

test.each(tasks.map((task) => [task.id, task] as const))(
  "%s: its solution passes, doing nothing and the careless solution fail",
  async (_, task) => {
    expect(await checkTask(task, await findWalls())).toEqual([]);
  },
);

test.each(tasks.map((task) => [task.id, task] as const))(
  "%s: the good agent passes, the bad one fails, the flaky one is now this, now that",
  async (_, task) => {
    const outcome = async (scripted: "good" | "bad" | "flaky", run = 1) =>
      (await runOnce(task, { plan: { scripted }, run })).outcome;
    expect(await outcome("good")).toBe("passed");
    expect(await outcome("bad")).toBe("failed");
    expect(["passed", "failed"]).toContain(await outcome("flaky"));
  },
);

test("the flaky agent's runs are drawn by the seed: some pass, some fail, the same ones each time", async () => {
  const [task] = await readSuite(suite, ["search-old-key"]);
  if (task === undefined) throw new Error("no task");
  const outcomes = async (seed: number) => {
    const seen: string[] = [];
    for (const run of [1, 2, 3, 4])
      seen.push((await runOnce(task, { plan: { scripted: "flaky", seed }, run })).outcome);
    return seen;
  };
  const first = await outcomes(1);
  expect(new Set(first)).toEqual(new Set(["passed", "failed"]));
  expect(await outcomes(1)).toEqual(first);
});
