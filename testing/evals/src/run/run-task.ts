import { createWriteStream } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { CreateSession, Session } from "@muster/client";
import { type AgentPlan, scriptedWork } from "../agents/agent-plan.ts";
import { scriptedAccess, startScriptedModel } from "../agents/scripted-model.ts";
import { checkWork } from "../check/check-work.ts";
import type { Outcome, Result } from "../results/result.ts";
import { layStart } from "../task/lay-start.ts";
import type { Task } from "../task/task.ts";
import type { Walls } from "../walls/walls.ts";
import { startRunDaemon } from "./run-daemon.ts";
import { TurnFigures } from "./turn-figures.ts";

export interface RunTaskOptions {
  readonly plan: AgentPlan;
  readonly walls: Walls;
  readonly daemon: readonly [string, ...string[]];
  readonly agents: string;
  readonly sources: readonly string[];
  readonly hidden: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where the events of the run are written, one a line. */
  readonly transcript: string;
  readonly signal?: AbortSignal | undefined;
}

/** One run of a task from a fresh directory to its result. What goes wrong is a result, too; only an abort is thrown. */
export async function runTask(task: Task, run: number, options: RunTaskOptions): Promise<Result> {
  const started = performance.now();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "muster-eval-")));
  const figures = new TurnFigures();
  const seconds = () => Math.round(performance.now() - started) / 1000;
  const told = () => ({
    task: task.id,
    run,
    costUsd: figures.costUsd,
    tokens: figures.tokens,
    requests: figures.requests,
    steps: figures.steps,
    toolErrors: figures.toolErrors,
    refusedEdits: figures.refusedEdits,
    permissions: figures.permissions,
    questions: figures.questions,
    prefixReuse: figures.prefixReuse,
    confined: options.walls !== undefined,
  });
  try {
    const work = join(folder, "work");
    await layStart(task, work);
    const stopped = await letWork(task, { ...options, run, folder, work, figures });
    options.signal?.throwIfAborted();
    const spent = seconds();
    const checked = { work, folder: join(folder, "check"), walls: options.walls };
    const { passed, score, output, restored } = await checkWork(task, checked);
    // What passes the check has solved the task, but not within its limits.
    const outcome: Outcome = stopped ?? (passed ? "passed" : "failed");
    return {
      ...told(),
      outcome,
      passed: outcome === "passed",
      score,
      seconds: spent,
      restored: [...restored],
      reason: output.trim(),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { ...told(), outcome: "error", passed: false, score: 0, seconds: seconds(), restored: [], reason };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Work extends RunTaskOptions {
  readonly run: number;
  readonly folder: string;
  readonly work: string;
  readonly figures: TurnFigures;
}

type Stop = Exclude<Outcome, "passed" | "failed" | "error">;

/** Lets the agent work until its turn is over or a limit is met; afterwards none of its processes lives. */
async function letWork(task: Task, options: Work): Promise<Stop | undefined> {
  const { plan, work, figures, signal } = options;
  const script =
    plan.scripted === undefined
      ? undefined
      : await scriptedWork(task, { scripted: plan.scripted, seed: plan.seed }, options.run);
  const model = script === undefined || plan.agent === "mock" ? undefined : await startScriptedModel(script);
  const { daemon, end } = await startRunDaemon(options);
  const transcript = createWriteStream(options.transcript);
  try {
    const session = daemon.session(settingsOf(task, { plan, work, modelUrl: model?.url }));
    answerEverything(session);
    const prompt = script !== undefined && plan.agent === "mock" ? `do ${script}` : task.instruction;
    const late = AbortSignal.timeout(task.limits.seconds * 1000);
    const stop = new AbortController();
    const leave = AbortSignal.any([late, stop.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      let over: Stop | undefined;
      for await (const event of session.prompt(prompt, { signal: leave })) {
        transcript.write(`${JSON.stringify(event)}\n`);
        figures.see(event);
        if (task.limits.steps !== undefined && figures.steps > task.limits.steps) {
          over = "too_many_steps";
          break;
        }
        if (event.type !== "turn.ended") continue;
        if (event.data.cause === "budget_exceeded") over = "over_budget";
        else if (event.data.status === "failed")
          throw new Error(`The agent's turn failed: ${event.data.message ?? event.data.cause ?? "no reason given"}`);
      }
      return over;
    } catch (error) {
      if (late.aborted) return "late";
      throw error;
    }
  } finally {
    await end();
    await model?.close();
    transcript.end();
    await finished(transcript);
  }
}

function settingsOf(
  task: Task,
  { plan, work, modelUrl }: { plan: AgentPlan; work: string; modelUrl: string | undefined },
): CreateSession {
  const { agent, variant, agentMode, agentOptions, systemPrompt } = plan;
  const access = modelUrl === undefined ? undefined : { baseUrl: modelUrl, ...scriptedAccess(agent) };
  const model = plan.model ?? access?.model;
  return {
    agent,
    directory: work,
    permissionMode: "bypass",
    title: task.id,
    ...(model === undefined ? {} : { model }),
    ...(variant === undefined ? {} : { variant }),
    ...(agentMode === undefined ? {} : { agentMode }),
    ...(agentOptions === undefined ? {} : { agentOptions }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(task.limits.usd === undefined ? {} : { limits: { budgetUsd: task.limits.usd } }),
    ...(access === undefined ? {} : { baseUrl: access.baseUrl, token: access.token }),
  };
}

/** Nobody is there: what is asked is allowed, and a question is answered with its first option. It is counted all the same. */
function answerEverything(session: Session): void {
  session.onPermission(() => "once");
  session.onPlan(() => "approve_edits");
  session.onQuestion(({ questions }) => ({
    answers: questions.map(({ options }) => [options[0]?.label ?? "Decide for yourself."]),
  }));
}
