import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateSession } from "@muster/client";
import type { Task } from "../task/task.ts";

/** Who works on the tasks: an agent of the daemon with its settings. */
export interface AgentPlan {
  readonly agent: CreateSession["agent"];
  readonly model?: string | undefined;
  readonly variant?: string | undefined;
  readonly agentMode?: string | undefined;
  readonly agentOptions?: Record<string, unknown> | undefined;
  readonly systemPrompt?: string | undefined;
  /** In place of a model: one that knows the solution, one that is careless, or now this, now that. */
  readonly scripted?: Script | undefined;
  readonly seed: number;
}

export const scripts = ["good", "bad", "flaky"] as const;
export type Script = (typeof scripts)[number];

/** Of ten runs of the flaky one, how many are good. */
const goodOfTen = 6;

/** The shell text that a scripted agent runs for one run of a task. */
export async function scriptedWork(
  task: Task,
  { scripted, seed }: { scripted: Script; seed: number },
  run: number,
): Promise<string> {
  const isGood = scripted === "good" || (scripted === "flaky" && drawnOfTen(`${seed} ${task.id} ${run}`) < goodOfTen);
  const solve = () => readFile(join(task.folder, "solution", "solve.sh"), "utf8");
  const careless = () => readFile(join(task.folder, "solution", "careless.sh"), "utf8");
  // A task without a careless solution is left as it is.
  return isGood ? solve() : careless().catch(() => ":\n");
}

/** The same draw for the same seed, task and run, on every machine. */
function drawnOfTen(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) % 10;
}
