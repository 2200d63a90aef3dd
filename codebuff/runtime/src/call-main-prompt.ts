import { setMaxListeners } from "node:events";
import {
  type AgentOutput,
  type FinishStatus,
  type PrintModeEventOf,
  type RuntimeAction,
  rootAgentId,
  type SessionState,
} from "@muster/codebuff-protocol";
import type { RunTree } from "./agent-run.ts";
import { ChildSlots } from "./children/child-slots.ts";
import { type Cost, creditsOf, dollarsOf, noCost } from "./cost.ts";
import { Cancelled, failureOf } from "./failures.ts";
import { History } from "./history/history.ts";
import { userPrompt } from "./history/messages.ts";
import { loopAgentSteps } from "./loop-agent-steps.ts";
import { findRootAgent, mainPrompt } from "./main-prompt.ts";
import type { FoundAgent, Ports } from "./ports.ts";
import { defaultLimits, type MainPrompt, type SendAction } from "./prompt.ts";

/**
 * Runs one prompt. Never rejects: whatever happens there is one `start`, one `finish` and then one `prompt-response`
 * or, when the run could not even begin, one `prompt-error`. Nothing is sent after that.
 */
export async function callMainPrompt(
  prompt: MainPrompt,
  ports: Ports,
  sendAction: SendAction,
  signal: AbortSignal,
): Promise<void> {
  const send = untilLast(sendAction, ports);
  const tree = treeOf(prompt, ports, send, signal);
  let agent: FoundAgent;
  try {
    agent = await findRootAgent(prompt, tree);
  } catch (error) {
    prompt.inbox?.close();
    await refuse(prompt, tree, error instanceof Cancelled || signal.aborted ? new Cancelled() : error);
    return;
  }
  const { definition } = agent;
  sendStart(prompt, tree, definition.id, prompt.model ?? definition.model);
  // Credits begin at 0 with every prompt: what an agent has spent is counted from here.
  const { state, output, status, total } = await mainPrompt(prompt, agent, tree);
  sendFinish(tree, { agentId: definition.id, status, output, total });
  const sessionState = { ...prompt.sessionState, mainAgentState: state };
  send({ type: "prompt-response", sessionState, output, status });
}

function treeOf(prompt: MainPrompt, ports: Ports, send: SendAction, signal: AbortSignal): RunTree {
  // Every tool and child of a run listens; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal);
  const limits = { ...defaultLimits, ...prompt.limits };
  return {
    ports,
    limits,
    sessionId: prompt.sessionState.sessionId,
    files: prompt.sessionState.fileContext,
    send,
    slots: new ChildSlots(limits.maxParallelChildren),
    signal,
    runAgent: loopAgentSteps,
    spent: { steps: 0, usage: {} },
  };
}

function sendStart({ sessionState, messageId }: MainPrompt, { send }: RunTree, agentId: string, model: string): void {
  const { sessionId, mainAgentState } = sessionState;
  const messageHistoryLength = mainAgentState.messageHistory.length;
  const event: PrintModeEventOf<"start"> = { type: "start", sessionId, agentId, model, messageHistoryLength };
  if (messageId !== undefined) event.messageId = messageId;
  send({ type: "response-chunk", chunk: event });
}

interface Ending {
  readonly agentId: string;
  readonly status: FinishStatus;
  readonly output: AgentOutput;
  readonly total: Cost;
}

function sendFinish({ send, sessionId, spent }: RunTree, { agentId, status, output, total }: Ending): void {
  if (output.type === "error" && status !== "cancelled") {
    const { message, error: code, statusCode } = output;
    send({ type: "response-chunk", chunk: { type: "error", message, code, statusCode, fatal: true } });
  }
  const event: PrintModeEventOf<"finish"> = {
    type: "finish",
    sessionId,
    agentId,
    totalCost: creditsOf(total),
    status,
    usage: spent.usage,
    steps: spent.steps,
  };
  if (total.known) event.totalCostUsd = dollarsOf(total);
  else event.costUnknown = true;
  if (total.estimated === true) event.costEstimated = true;
  send({ type: "response-chunk", chunk: event });
}

/** The run could not begin: there is no such agent, or the lookup failed or was aborted. */
async function refuse(prompt: MainPrompt, tree: RunTree, error: unknown): Promise<void> {
  const isCancelled = error instanceof Cancelled;
  const status = isCancelled ? "cancelled" : "failed";
  const { message, code, statusCode } = failureOf(error);
  const agentId = rootAgentId(prompt);
  sendStart(prompt, tree, agentId, prompt.model ?? "unknown");
  const output: AgentOutput = { type: "error", message, error: isCancelled ? "cancelled" : code, statusCode };
  sendFinish(tree, { agentId, status, output, total: noCost });
  const sessionState = await keepPrompt(prompt, tree);
  tree.send({ type: "prompt-error", message, error: output.error, statusCode, status, sessionState });
}

/** What the person said stays in the history, though nobody has read it. */
async function keepPrompt({ sessionState, content, params }: MainPrompt, { ports }: RunTree): Promise<SessionState> {
  const { mainAgentState } = sessionState;
  const history = new History(mainAgentState.agentId, mainAgentState.messageHistory, ports.log);
  await history
    .append(userPrompt(content, params, ports.clock.now()))
    .catch((error) => ports.log.warn(`The journal failed: ${String(error)}`));
  return { ...sessionState, mainAgentState: { ...mainAgentState, messageHistory: [...history.messages] } };
}

/** What is said after the last word is dropped, and a listener that throws does not end the run. */
function untilLast(sendAction: SendAction, { log }: Ports): SendAction {
  let isOver = false;
  return (action: RuntimeAction) => {
    if (isOver) return;
    if (action.type === "prompt-response" || action.type === "prompt-error") isOver = true;
    try {
      sendAction(action);
    } catch (error) {
      log.warn(`A listener failed: ${String(error)}`);
    }
  };
}
