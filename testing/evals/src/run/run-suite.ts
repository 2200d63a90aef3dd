import { join } from "node:path";
import type { Result } from "../results/result.ts";
import type { OpenResults } from "../results/results-folder.ts";
import type { Task } from "../task/task.ts";
import { type RunTaskOptions, runTask } from "./run-task.ts";

export interface RunSuiteOptions extends Omit<RunTaskOptions, "transcript"> {
  readonly runs: number;
  /** How many at once. */
  readonly width: number;
  readonly folder: string;
  readonly results: OpenResults;
  readonly tell: (result: Result, progress: { done: number; all: number }) => void;
}

/** Every task N times, k at once; what the folder holds already is not done again. No result ends the others. */
export async function runSuite(tasks: readonly Task[], options: RunSuiteOptions): Promise<Result[]> {
  const { runs, width, results, folder, signal } = options;
  const done = [...results.done];
  const isDone = new Set(done.map(({ task, run }) => `${task} ${run}`));
  // Run by run, not task by task: an interrupted suite has all its tasks, each as often.
  const left = Array.from({ length: runs }, (_, index) => tasks.map((task) => ({ task, run: index + 1 })))
    .flat()
    .filter(({ task, run }) => !isDone.has(`${task.id} ${run}`));
  const all = tasks.length * runs;
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      signal?.throwIfAborted();
      const transcript = join(folder, "transcripts", `${next.task.id}-${next.run}.jsonl`);
      const result = await runTask(next.task, next.run, { ...options, transcript });
      await results.add(result);
      done.push(result);
      options.tell(result, { done: done.length, all });
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: width }, work));
  for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
  return done;
}
