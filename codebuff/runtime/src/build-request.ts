import { estimateTokens, historyFaults, type Message, type UserMessage } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { AgentRun } from "./agent-run.ts";
import { cacheMarks } from "./context/cache-marks.ts";
import { contextBudget, fitHistory, maxAnswer } from "./context/fit-history.ts";
import { messagesSize, toolsSize } from "./context/request-size.ts";
import { Cancelled, RunFailure } from "./failures.ts";
import { note, stepReminder } from "./history/messages.ts";
import type { ModelRequest } from "./ports.ts";
import { fillTemplate } from "./prompts/fill-template.ts";
import { templateValues } from "./prompts/template-values.ts";
import { untilCancelled } from "./until-cancelled.ts";

/** Over this share of the budget the estimate is not trusted and the provider is asked. */
const countAbove = 0.7;

/** The next request of an agent: its history made to fit, checked, with cache marks. Nothing volatile before the reminder. */
export async function buildRequest(run: AgentRun): Promise<ModelRequest> {
  await fitHistory(run);
  let request = requestOf(run);
  measure(run, request);
  if (await countExactly(run, request)) {
    if ((await fitHistory(run)) !== "kept") request = requestOf(run);
    measure(run, request);
  }
  const [fault] = historyFaults(request.messages);
  if (fault !== undefined) {
    throw new RunFailure("history_invalid", `The history cannot be sent: ${fault.code} ${fault.subject}`);
  }
  return request;
}

function requestOf(run: AgentRun): ModelRequest {
  const { agent, scope, model, tools, tree, history, systemPrompt } = run;
  const system: Message[] = systemPrompt === "" ? [] : [{ role: "system", content: systemPrompt }];
  const messages = [...system, ...history.messages, ...lastWord(run)];
  return {
    runId: scope.runId,
    agentId: scope.agentId,
    ancestorRunIds: scope.ancestorRunIds,
    agent: agent.definition,
    model,
    messages,
    cacheAt: cacheMarks(messages),
    tools,
    maxTokens: maxAnswer(tree.ports.model.contextWindow(model), tree.limits.maxOutputTokens),
  };
}

/** The step reminder; without one a user's word where the history ends with the assistant, which some providers refuse. */
function lastWord(run: AgentRun): UserMessage[] {
  const { stepPrompt } = run.agent.definition;
  if (stepPrompt !== undefined) return [stepReminder(fillTemplate(stepPrompt, templateValues(run)))];
  const last = run.history.messages.at(-1);
  return last?.role === "assistant" ? [note("Go on.", run.tree.ports.clock.now())] : [];
}

function measure(run: AgentRun, { messages, tools }: ModelRequest): void {
  run.memory.contextTokens = Math.ceil((messagesSize(messages) + toolsSize(tools)) * run.memory.tokenScale);
}

/** Asks the provider before the first step and when it gets tight. True when the count changed the scale. */
async function countExactly(run: AgentRun, request: ModelRequest): Promise<boolean> {
  const { memory, tree } = run;
  const { model, log } = tree.ports;
  if (model.countTokens === undefined) return false;
  const isTight = memory.contextTokens > countAbove * (contextBudget(run).maxTokens + estimateTokens(run.systemPrompt));
  if (memory.stepNumber > 0 && !isTight) return false;
  try {
    const exact = await untilCancelled(model.countTokens(request, tree.signal), tree.signal);
    if (!(exact > 0) || memory.contextTokens === 0) return false;
    memory.tokenScale = Math.min(3, Math.max(0.5, (memory.tokenScale * exact) / memory.contextTokens));
    return true;
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    log.warn(`Tokens were estimated, not counted: ${messageOf(error)}`);
    return false;
  }
}
