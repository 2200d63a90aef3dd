import type { AgentRun } from "../agent-run.ts";
import { buildRequest } from "../build-request.ts";
import { Emitter } from "../emitter.ts";
import { Cancelled, RunFailure } from "../failures.ts";
import { recordStep } from "../record-step.ts";
import { processStream, type StreamedAnswer } from "../stream/process-stream.ts";
import { charge } from "../stream/read-answer.ts";

/** Several answers to the same request, unseen and outside history. One that fails is left out; none at all is an error. */
export async function generateN(run: AgentRun, n: number): Promise<string[]> {
  const startTime = run.tree.ports.clock.now();
  const before = { cost: run.memory.direct, children: run.memory.childRunIds.length };
  const request = await buildRequest(run);
  const silent: AgentRun = { ...run, emit: silentEmitter(run) };
  const answers = await Promise.all(Array.from({ length: n }, () => processStream(silent, request)));
  for (const answer of answers) charge(run, answer);
  if (answers.some(({ end }) => end.type === "cancelled")) throw new Cancelled();
  run.memory.stepsRemaining--;
  run.tree.spent.steps++;
  const whole = answers.filter(({ end }) => end.type === "finished");
  recordStep(run, before, { messageId: null, startTime });
  if (whole.length === 0) throw failureOf(answers);
  return whole.map(({ texts }) => texts.join(""));
}

function failureOf(answers: readonly StreamedAnswer[]): RunFailure {
  for (const { end } of answers) {
    if (end.type === "failed") return new RunFailure(end.code, end.message, end.statusCode);
  }
  return new RunFailure("stream_cut", "All of the model's answers broke off");
}

function silentEmitter({ agent, scope }: AgentRun): Emitter {
  const { agentId, runId, ancestorRunIds } = scope;
  const nobody = { send: () => undefined };
  return new Emitter(nobody, { agentId, agentType: agent.definition.id, isRoot: false, runId, ancestorRunIds });
}
