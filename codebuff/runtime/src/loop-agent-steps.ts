import { type AgentOutput, type FinishStatus, isBlank } from "@muster/codebuff-protocol";
import { type AgentEnd, type AgentRun, type AgentStart, agentStateOf, totalCost } from "./agent-run.ts";
import { isOutputMissing, mayTryOutputAgain } from "./calls/set-output.ts";
import { Cancelled, failureOf } from "./failures.ts";
import { note, userPrompt } from "./history/messages.ts";
import { addPrompt, bareRun, openAgentRun } from "./open-agent-run.ts";
import { outputOf } from "./output.ts";
import type { FoundAgent, Inbox, Steps } from "./ports.ts";
import { recordStep } from "./record-step.ts";
import { invalidOutput, runAgentStep } from "./run-agent-step.ts";
import { programmaticStep, startSteps, type Turn } from "./steps/programmatic-step.ts";
import { lastWords, turningAgent } from "./turning-agent.ts";
import { throwIfAborted, untilCancelled } from "./until-cancelled.ts";

/** Runs one agent from START to FINISH, root and child alike. Never rejects: what went wrong is its output. */
export async function loopAgentSteps(start: AgentStart): Promise<AgentEnd> {
  const { ledger, tools, clock } = start.tree.ports;
  const { signal } = start.tree;
  let run = bareRun(start);
  let status: FinishStatus;
  let output: AgentOutput;
  try {
    await addPrompt(run, start);
    throwIfAborted(signal);
    const { ancestorRunIds } = run.scope;
    const agentType = fullName(start.agent);
    const { runId } = await untilCancelled(ledger.start({ agentType, ancestorRunIds }, signal), signal);
    run = { ...run, scope: { ...run.scope, runId } };
    run = await openAgentRun(start, run, runId);
    start.onStarted?.(run);
    await addToTask(run);
    status = await takeTurn(run, start);
    await run.history.expire();
    output = outputOf(run);
  } catch (error) {
    const isCancelled = error instanceof Cancelled || signal.aborted;
    const failure = failureOf(error);
    status = isCancelled ? "cancelled" : "failed";
    output = isCancelled
      ? { type: "error", message: new Cancelled().message, error: "cancelled" }
      : { type: "error", message: failure.message, statusCode: failure.statusCode, error: failure.code };
    const last = isCancelled ? [note("The user interrupted. What was done so far is kept.", clock.now())] : [];
    await run.history
      .append(...last)
      .then(() => run.history.expire())
      // The failure that is told may be that of the journal itself.
      .catch((reason) => start.tree.ports.log.warn(`The journal failed: ${String(reason)}`));
  }
  start.inbox?.close();
  if (run.scope.runId !== "") finishRun(run, status, output);
  tools.endAgent(run.scope);
  return { state: agentStateOf(run), output, status, direct: run.memory.direct, total: totalCost(run) };

  function finishRun({ scope, memory }: AgentRun, how: FinishStatus, end: AgentOutput): void {
    ledger.finish(scope.runId, {
      status: how === "max_steps" || how === "timeout" ? "completed" : how,
      totalSteps: memory.stepNumber,
      direct: memory.direct,
      total: totalCost(run),
      errorMessage: end.type === "error" ? end.message : undefined,
    });
  }
}

/** An agent of a store is recorded with its publisher and version. */
function fullName({ definition: { id, publisher, version }, origin }: FoundAgent): string {
  return origin === "store" && publisher !== undefined ? `${publisher}/${id}@${version ?? "latest"}` : id;
}

/** The loop: steps by program, the end of the turn, one step of the model, and again. */
async function takeTurn(run: AgentRun, { params, inbox }: AgentStart): Promise<FinishStatus> {
  const turn: Turn = { ended: false, isStepAll: false, toolResult: undefined, nResponses: undefined, hasBegun: false };
  let steps = await startSteps(run, run.prompts.user, params);
  let unanswered: string | undefined;
  let isSentOn = false;
  try {
    for (;;) {
      throwIfAborted(run.tree.signal);
      unanswered = (await joinSteering(run, inbox)) ?? unanswered;
      if (unanswered !== undefined) turn.ended = false;
      const next = await nextMove(run, steps, turn);
      if (next !== "step") {
        if (next === "end" && (await askForOutput(run))) {
          steps?.close();
          steps = undefined;
        } else {
          unanswered ??= await joinSteering(run, inbox);
          if (unanswered === undefined && next === "end") {
            unanswered = await sendOn(run, isSentOn);
            isSentOn ||= unanswered !== undefined;
          }
          unanswered ??= await joinSteering(run, inbox, "close when empty");
          if (unanswered === undefined) return "completed";
          steps?.close();
          turn.hasBegun = false;
          steps = await startSteps(run, unanswered);
        }
        turn.ended = false;
        turn.isStepAll = false;
        continue;
      }
      if (isOutOfSteps(run)) return await pause(run);
      unanswered = undefined;
      await takeModelStep(run, turn);
    }
  } finally {
    steps?.close();
  }
}

async function nextMove(run: AgentRun, steps: Steps | undefined, turn: Turn): Promise<"step" | "end" | "broken"> {
  if (steps === undefined) return turn.ended ? "end" : "step";
  if (turn.isStepAll && !turn.ended) return "step";
  turn.isStepAll = false;
  return programmaticStep(run, steps, turn);
}

async function takeModelStep(run: AgentRun, turn: Turn): Promise<void> {
  const startTime = run.tree.ports.clock.now();
  const before = { cost: run.memory.direct, children: run.memory.childRunIds.length };
  const { ended, messageId } = await runAgentStep(run);
  recordStep(run, before, { messageId, startTime });
  turn.ended = ended;
  turn.toolResult = undefined;
  turn.nResponses = undefined;
}

/** Texts that came while the agent worked enter its history; returns them joined, or undefined when there were none. */
async function joinSteering(
  run: AgentRun,
  inbox: Inbox | undefined,
  end?: "close when empty",
): Promise<string | undefined> {
  const texts = inbox?.take() ?? [];
  if (texts.length === 0) {
    if (end !== undefined) inbox?.close();
    return undefined;
  }
  const now = run.tree.ports.clock.now();
  const messages = texts.map(({ content }) => userPrompt(content, undefined, now));
  await run.history.append(...messages.filter((message) => !isBlank(message)));
  const parts = texts.flatMap(({ content }) => content);
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

/** What is told to the agent from outside beside its task. */
async function addToTask(run: AgentRun): Promise<void> {
  const { turns, clock } = run.tree.ports;
  const text = await turns?.begins(turningAgent(run), run.prompts.user);
  if (text !== undefined) await run.history.append(note(text, clock.now()));
}

/** Why the agent may not end its turn yet; it stands in the history. */
async function sendOn(run: AgentRun, isSentOn: boolean): Promise<string | undefined> {
  const { turns, clock } = run.tree.ports;
  const text = await turns?.ends(turningAgent(run), lastWords(run.history.messages), isSentOn);
  if (text !== undefined) await run.history.append(note(text, clock.now()));
  return text;
}

/** True when the agent still owes its output and is asked for it once more. */
async function askForOutput(run: AgentRun): Promise<boolean> {
  if (!isOutputMissing(run)) return false;
  run.memory.outputFaults++;
  if (!mayTryOutputAgain(run)) throw invalidOutput();
  const text = "Your turn cannot end without a result: call set_output with a value that fits the output schema.";
  await run.history.append({ ...note(text, run.tree.ports.clock.now()), keepDuringTruncation: true });
  return true;
}

function isOutOfSteps({ memory, tree }: AgentRun): boolean {
  return memory.stepsRemaining <= 0 || tree.spent.steps >= tree.limits.maxTotalSteps;
}

async function pause(run: AgentRun): Promise<FinishStatus> {
  run.emit.say("I have taken as many steps as I may in one turn and pause here. Tell me to go on, or what to change.");
  const text = "The turn was ended because the agent had taken its maximum number of steps (maxAgentSteps).";
  await run.history.append(note(text, run.tree.ports.clock.now()));
  return "max_steps";
}
