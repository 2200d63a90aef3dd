import { isToolName, outputError, toolSpec } from "@muster/codebuff-protocol";
import type { AgentRun } from "./agent-run.ts";
import { buildRequest } from "./build-request.ts";
import { runCalls } from "./calls/run-calls.ts";
import { mayTryOutputAgain } from "./calls/set-output.ts";
import { RunFailure } from "./failures.ts";
import { type AnsweredCall, assistantText, callsAndResults, note } from "./history/messages.ts";
import type { MarkedCall } from "./ports.ts";
import { readAnswer, type WholeAnswer } from "./stream/read-answer.ts";
import { throwIfAborted } from "./until-cancelled.ts";

/** How often text that is only a thought, and an answer cut by its length, lead to another step by themselves. */
const thoughtsForgiven = 3;
const lengthEndsForgiven = 1;

export interface StepEnd {
  /** The model wants to end its turn. */
  readonly ended: boolean;
  readonly messageId: string | null;
}

/** One step of the model: request, stream, tools, history. */
export async function runAgentStep(run: AgentRun): Promise<StepEnd> {
  const { history, memory, tree } = run;
  const request = await buildRequest(run);
  const answer = await readAnswer(run, request);
  memory.stepsRemaining--;
  tree.spent.steps++;
  const now = tree.ports.clock.now();
  const texts = answer.texts.filter((text) => text.trim() !== "");
  await history.append(...texts.map((text) => assistantText(text, now)));
  const answered = await callTools(run, answer);
  await history.append(...callsAndResults(answered, now));
  throwIfAborted(tree.signal);
  return { ended: await wantsEnd(run, answer, answered), messageId: answer.end.finish.messageId ?? null };
}

/** What a step calls is in the journal before the first tool starts. */
async function callTools(run: AgentRun, { calls }: WholeAnswer): Promise<AnsweredCall[]> {
  if (calls.length === 0) return [];
  await journalCalls(
    run,
    calls.map(({ call }) => call),
  );
  return runCalls(
    run,
    calls.map(({ call, refusal }) => ({ call, refusal: refusal?.message, isTrusted: false })),
  );
}

export async function journalCalls({ scope, tree }: AgentRun, calls: readonly MarkedCall[]): Promise<void> {
  await tree.ports.log.write({ agentId: scope.agentId, type: "calls", calls });
}

async function wantsEnd(run: AgentRun, answer: WholeAnswer, answered: readonly AnsweredCall[]): Promise<boolean> {
  const { memory, agent } = run;
  if (answered.some(({ call, output }) => endsTurn(call.toolName) && outputError(output) === undefined)) return true;
  if (answer.calls.some(({ refusal }) => refusal !== undefined)) return false;
  if (answered.some(({ call, output }) => call.toolName === "set_output" && outputError(output) !== undefined)) {
    if (!mayTryOutputAgain(run)) throw invalidOutput();
    return false;
  }
  if (answered.some(({ call }) => isForcing(run, call.toolName))) return false;
  if (isThoughtOnly(answer) && memory.thoughtOnly++ < thoughtsForgiven) return false;
  if (answer.end.finish.reason === "length" && answered.length === 0) return !(await askToGoOn(run));
  return !agent.definition.toolNames.includes("task_completed");
}

export function invalidOutput(): RunFailure {
  return new RunFailure("invalid_output", "The agent gave no output that fits its schema");
}

export function endsTurn(toolName: string): boolean {
  return isToolName(toolName) && toolSpec(toolName).endsTurn === true;
}

function isForcing({ tools }: AgentRun, toolName: string): boolean {
  if (isToolName(toolName)) return toolSpec(toolName).forcing;
  return tools.find(({ name }) => name === toolName)?.forcing ?? true;
}

function isThoughtOnly({ texts, calls }: WholeAnswer): boolean {
  const text = texts.join("").trim();
  return calls.length === 0 && /^<think>/.test(text) && text.replace(/<think>[\s\S]*?<\/think>/g, "").trim() === "";
}

async function askToGoOn({ memory, history, emit, tree }: AgentRun): Promise<boolean> {
  emit.warn("length", "The model's answer reached its length limit");
  if (memory.lengthEnds++ >= lengthEndsForgiven) return false;
  const text = "Your answer reached its length limit. Go on from where it ended, in fewer words.";
  await history.append(note(text, tree.ports.clock.now(), "userPrompt"));
  return true;
}
