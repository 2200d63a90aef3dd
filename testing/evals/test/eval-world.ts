import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { AgentPlan } from "../src/agents/agent-plan.ts";
import type { Result } from "../src/results/result.ts";
import { runTask } from "../src/run/run-task.ts";
import { readTask } from "../src/task/read-task.ts";
import type { Task } from "../src/task/task.ts";
import { findWalls } from "../src/walls/walls.ts";

export const suite = fileURLToPath(new URL("../suite", import.meta.url));
export const program = fileURLToPath(new URL("../bin/muster-eval.cjs", import.meta.url));
export const daemonProgram = fileURLToPath(new URL("../../../daemon/cli/bin/sandbox-daemon.cjs", import.meta.url));

/** The shipped tasks that `npm test` runs; the long form runs all of them. */
export const tenTasks = [
  "git-find-commit",
  "git-restore",
  "py-exit-codes",
  "py-merge-settings",
  "search-leak",
  "search-old-key",
  "sh-idempotent",
  "ts-csv-quotes",
  "ts-rename",
  "ts-retry",
];

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "evals-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of a shipped task, with other files in it. */
export async function copyTask(id: string, files: Readonly<Record<string, string>>): Promise<Task> {
  const folder = join(await makeFolder(), id);
  await cp(join(suite, id), folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return readTask(folder);
}

export interface RunOptions {
  readonly plan?: Partial<AgentPlan>;
  readonly run?: number;
  readonly sources?: readonly string[];
  readonly hidden?: readonly string[];
  /** Without the kernel's walls, as a control. */
  readonly unconfined?: boolean;
}

/** One run of a task as muster-eval makes it, by the scripted mock unless another agent is named. */
export async function runOnce(task: Task, options: RunOptions = {}): Promise<Result & { transcript: string }> {
  const folder = await makeFolder();
  const agents = join(folder, "agents");
  await mkdir(agents);
  const transcript = join(folder, "transcript.jsonl");
  const result = await runTask(task, options.run ?? 1, {
    plan: { agent: "mock", scripted: "good", seed: 1, ...options.plan },
    walls: options.unconfined ? undefined : await findWalls(),
    daemon: [process.execPath, daemonProgram],
    agents,
    sources: options.sources ?? [],
    hidden: [suite, task.folder, ...(options.hidden ?? [])],
    env: { PATH: process.env.PATH },
    transcript,
  });
  return { ...result, transcript: await readFile(transcript, "utf8").catch(() => "") };
}
