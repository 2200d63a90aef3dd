import { isToolName, type StepReply, type StepToolCall, type ToolOutput, toolTable } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { type AgentRun, publicStateOf } from "../agent-run.ts";
import { checkInput } from "../calls/check-input.ts";
import { runCalls } from "../calls/run-calls.ts";
import { Cancelled, RunFailure } from "../failures.ts";
import { assistantText, callsAndResults } from "../history/messages.ts";
import type { PendingCall } from "../pending-call.ts";
import type { MarkedCall, Steps } from "../ports.ts";
import { recordStep } from "../record-step.ts";
import { endsTurn, journalCalls } from "../run-agent-step.ts";
import { throwIfAborted, untilCancelled } from "../until-cancelled.ts";
import { generateN } from "./generate-n.ts";
import { startLocalSteps } from "./local-steps.ts";
import { speak } from "./speak.ts";

/** A generator that yields so often without a model step has lost its way. */
const maxYields = 1_000;

export interface Turn {
  /** The last model step wanted to end. */
  ended: boolean;
  /** STEP_ALL: the model goes on until it wants to end. */
  isStepAll: boolean;
  toolResult: ToolOutput | undefined;
  nResponses: readonly string[] | undefined;
  /** `handleSteps` has been resumed before. */
  hasBegun: boolean;
}

/** The agent's `handleSteps`, begun; undefined when it has none. */
export async function startSteps(
  run: AgentRun,
  prompt: string,
  params?: Record<string, unknown>,
): Promise<Steps | undefined> {
  const { agent, tree } = run;
  const { handleSteps, id } = agent.definition;
  const log = tree.ports.log;
  const start = { agentState: publicStateOf(run), prompt: prompt === "" ? undefined : prompt, params, log };
  if (agent.startSteps !== undefined) return untilCancelled(agent.startSteps(start), tree.signal);
  if (handleSteps === undefined) return undefined;
  if (typeof handleSteps === "function") return startLocalSteps(handleSteps, start);
  throw new RunFailure("no_isolate", `The steps of ${id} are text, and there is no isolate to run them in`);
}

/** Resumes `handleSteps` until it wants a model step or ends. What it throws ends the turn and is told. */
export async function programmaticStep(run: AgentRun, steps: Steps, turn: Turn): Promise<"step" | "end" | "broken"> {
  const { tree } = run;
  for (let yields = 0; ; yields++) {
    throwIfAborted(tree.signal);
    const startTime = tree.ports.clock.now();
    try {
      if (yields >= maxYields) throw new Error(`handleSteps yielded ${maxYields} times without a model step`);
      const yielded = await untilCancelled(steps.next(turn.hasBegun ? replyOf(run, turn) : undefined), tree.signal);
      turn.hasBegun = true;
      if (yielded === "STEP") return "step";
      if (yielded === "STEP_ALL") {
        turn.isStepAll = true;
        return "step";
      }
      if ("toolName" in yielded) {
        turn.toolResult = await runStepCall(run, yielded);
        if (endsTurn(yielded.toolName)) return "end";
        continue;
      }
      switch (yielded.type) {
        case "return":
          return "end";
        case "STEP_TEXT":
          turn.toolResult = (await speak(run, yielded.text)) ?? turn.toolResult;
          break;
        case "GENERATE_N":
          turn.nResponses = await generateN(run, yielded.n);
      }
    } catch (error) {
      if (error instanceof Cancelled || error instanceof RunFailure) throw error;
      await tellFailure(run, messageOf(error), startTime);
      return "broken";
    }
  }
}

function replyOf(run: AgentRun, { toolResult, ended, nResponses }: Turn): StepReply {
  return { agentState: publicStateOf(run), toolResult, stepsComplete: ended, nResponses };
}

/** Runs a yielded call as a recorded step of its own, in history unless it is hidden. */
async function runStepCall(run: AgentRun, yielded: StepToolCall): Promise<ToolOutput | undefined> {
  const { emit, history, tree } = run;
  const { clock } = tree.ports;
  const startTime = clock.now();
  const before = { cost: run.memory.direct, children: run.memory.childRunIds.length };
  const pending = readStepCall(run, yielded);
  const includeToolCall = yielded.includeToolCall !== false;
  if (pending.refusal !== undefined) emit.warn("bad_arguments", pending.refusal);
  emit.toolCall(pending.call, { includeToolCall });
  if (includeToolCall) await journalCalls(run, [pending.call]);
  const answered = await runCalls(run, [pending]);
  if (includeToolCall) await history.append(...callsAndResults(answered, clock.now()));
  throwIfAborted(tree.signal);
  recordStep(run, before, { messageId: null, startTime });
  return answered[0]?.output;
}

function readStepCall(run: AgentRun, { toolName, input, plan }: StepToolCall): PendingCall {
  const isTrusted = run.agent.origin === "local";
  const toolCallId = run.tree.ports.clock.newId("call");
  const call: MarkedCall = { toolCallId, toolName, input, plan: markOf(isTrusted, toolName, plan) };
  if (!isTrusted && !run.usable.has(toolName)) {
    return { call, isTrusted, refusal: `An agent of the store may only call its own tools, not ${toolName}` };
  }
  if (!isToolName(toolName)) return { call, isTrusted };
  const checked = checkInput(toolTable[toolName].input, input);
  if (!checked.ok) return { call, isTrusted, refusal: `Invalid input for ${toolName}: ${checked.errorMessage}` };
  return { call: { ...call, input: checked.input as MarkedCall["input"] }, isTrusted };
}

/** A plan that waits for approval opens the gate, so only a local agent's question may carry it. */
function markOf(isTrusted: boolean, toolName: string, plan: StepToolCall["plan"]): StepToolCall["plan"] {
  return isTrusted && toolName === "ask_user" ? plan : undefined;
}

async function tellFailure(run: AgentRun, message: string, startTime: number): Promise<void> {
  const { emit, history, memory } = run;
  const text = `The agent's steps failed: ${message}`;
  emit.warn("steps_failed", text);
  emit.say(text);
  await history.append(assistantText(text, startTime));
  memory.output = { ...memory.output, error: message };
  const nothing = { cost: memory.direct, children: memory.childRunIds.length };
  recordStep(run, nothing, { messageId: null, startTime, status: "skipped", errorMessage: message });
}
