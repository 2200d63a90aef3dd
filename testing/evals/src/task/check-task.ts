import { access, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkWork } from "../check/check-work.ts";
import { runProgram } from "../run/run-program.ts";
import type { Walls } from "../walls/walls.ts";
import { layStart } from "./lay-start.ts";
import type { Task } from "./task.ts";

export interface TaskFault {
  readonly task: string;
  readonly fault: string;
}

const solutionMs = 10 * 60_000;

/**
 * What is wrong with a task: the solution must pass, doing nothing must fail, and so must the careless solution where there
 * is one. A task that does not hold this measures nothing.
 */
export async function checkTask(task: Task, walls: Walls): Promise<TaskFault[]> {
  const fault = (text: string): TaskFault => ({ task: task.id, fault: text });
  const solved = await tryOut(task, { walls, script: "solve.sh" });
  if (solved === undefined) return [fault("it has no solution/solve.sh")];
  const nothing = await tryOut(task, { walls });
  const careless = await tryOut(task, { walls, script: "careless.sh" });
  return [
    ...(solved.passed ? [] : [fault(`its solution does not pass: ${solved.output.trim()}`)]),
    ...(nothing?.passed ? [fault("doing nothing passes")] : []),
    ...(careless?.passed ? [fault("its careless solution passes")] : []),
  ];
}

async function tryOut(task: Task, { walls, script }: { walls: Walls; script?: string }) {
  const file = script === undefined ? undefined : join(task.folder, "solution", script);
  if (file !== undefined && !(await isThere(file))) return undefined;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "muster-eval-check-")));
  try {
    const work = join(folder, "work");
    await layStart(task, work);
    if (file !== undefined) {
      const ended = await runProgram(["/bin/bash", file], { cwd: work, env: process.env, timeoutMs: solutionMs });
      if (ended.code !== 0) return { passed: false, output: `${script} failed: ${ended.output}` };
    }
    return await checkWork(task, { work, folder: join(folder, "check"), walls });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
