import { setMaxListeners } from "node:events";
import {
  type AgentOutput,
  type FinishStatus,
  type PrintModeEvent,
  type PrintModeEventOf,
  type RuntimeAction,
  rootAgentId,
  type SessionState,
} from "@muster/codebuff-protocol";
import { ActionStream } from "./action-stream.ts";
import type { RunTree } from "./agent-run.ts";
import { ChildSlots } from "./children/child-slots.ts";
import { type Cost, creditsOf, dollarsOf, noCost } from "./cost.ts";
import { Cancelled, failureOf } from "./failures.ts";
import { History } from "./history/history.ts";
import { userPrompt } from "./history/messages.ts";
import { loopAgentSteps } from "./loop-agent-steps.ts";
import { findRootAgent, mainPrompt } from "./main-prompt.ts";
import type { FoundAgent, Ports } from "./ports.ts";
import { defaultLimits, type MainPrompt } from "./prompt.ts";

/**
 * Runs one prompt while its actions are read: a reader that waits holds the model up, one that leaves aborts the run.
 * Whatever happens there is one `start`, one `finish` and at the end one `prompt-response` or, when the run could not even
 * begin, one `prompt-error`. Texts are pieces as they stream; an empty piece ends a block.
 */
export async function* callMainPrompt(
  prompt: MainPrompt,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<RuntimeAction, void, void> {
  const leaving = new AbortController();
  const tree = treeOf(prompt, ports, AbortSignal.any([signal, leaving.signal]));
  const running = runPrompt(prompt, tree).finally(() => tree.actions.end());
  // Its failure is thrown to the reader below.
  const settled = running.catch(() => undefined);
  try {
    yield* tree.actions;
  } finally {
    leaving.abort();
    await settled;
  }
  await running;
}

async function runPrompt(prompt: MainPrompt, tree: RunTree): Promise<void> {
  const { signal, actions } = tree;
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
  actions.send({ type: "prompt-response", sessionState, output, status });
}

function treeOf(prompt: MainPrompt, ports: Ports, signal: AbortSignal): RunTree {
  const actions = new ActionStream(signal);
  ports.tools.tellTo?.((chunk) => {
    actions.send({ type: "response-chunk", chunk });
    return actions.taken();
  });
  // Every tool and child of a run listens; Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal);
  const limits = { ...defaultLimits, ...prompt.limits };
  const { log } = ports;
  return {
    // What was said is with the reader before what follows it is written down: its own notes stand in the same order.
    ports: {
      ...ports,
      log: { write: (entry) => actions.taken().then(() => log.write(entry)), warn: (message) => log.warn(message) },
    },
    limits,
    sessionId: prompt.sessionState.sessionId,
    files: prompt.sessionState.fileContext,
    actions,
    slots: new ChildSlots(limits.maxParallelChildren),
    signal,
    runAgent: loopAgentSteps,
    spent: { steps: 0, usage: {} },
  };
}

function sendStart({ sessionState, messageId }: MainPrompt, tree: RunTree, agentId: string, model: string): void {
  const { sessionId, mainAgentState } = sessionState;
  const messageHistoryLength = mainAgentState.messageHistory.length;
  const event: PrintModeEventOf<"start"> = { type: "start", sessionId, agentId, model, messageHistoryLength };
  if (messageId !== undefined) event.messageId = messageId;
  sendEvent(tree, event);
}

function sendEvent({ actions }: RunTree, chunk: PrintModeEvent): void {
  actions.send({ type: "response-chunk", chunk });
}

interface Ending {
  readonly agentId: string;
  readonly status: FinishStatus;
  readonly output: AgentOutput;
  readonly total: Cost;
}

function sendFinish(tree: RunTree, { agentId, status, output, total }: Ending): void {
  const { sessionId, spent } = tree;
  if (output.type === "error" && status !== "cancelled") {
    const { message, error: code, statusCode } = output;
    sendEvent(tree, { type: "error", message, code, statusCode, fatal: true });
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
  sendEvent(tree, event);
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
  tree.actions.send({ type: "prompt-error", message, error: output.error, statusCode, status, sessionState });
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
