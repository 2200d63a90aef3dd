import { estimateTokens, usualCharactersPerToken } from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { RunFailure } from "../failures.ts";
import { turningAgent } from "../turning-agent.ts";
import { type ContextBudget, fitContext, summariseContext } from "./fit-context.ts";
import { messagesSize, toolsSize } from "./request-size.ts";

/** Kept free beside the answer, for the step reminder and for what the estimate does not see. */
const reserve = 1_000;

/** Makes an agent's history fit what its model takes; `force` summarises it whatever its size. */
export async function fitHistory(run: AgentRun, force = false): Promise<"kept" | "shortened" | "summarised"> {
  const { history, memory } = run;
  const budget = contextBudget(run);
  const isSmall = messagesSize(history.messages) * memory.tokenScale * 1.02 <= budget.maxTokens;
  if (isSmall && !force) return "kept";
  await run.tree.ports.turns?.shortens(turningAgent(run));
  const fitted = (force ? summariseContext : fitContext)(history.messages, budget);
  if (fitted.outcome === "overflow") {
    const needed = `${fitted.tokens} tokens where ${budget.maxTokens} are left`;
    throw new RunFailure("context_overflow", `The task does not fit ${run.model}: ${needed}`);
  }
  if (fitted.outcome !== "kept") await history.replace(fitted.messages, "compact");
  return fitted.outcome;
}

/** What the messages may weigh. */
export function contextBudget({ tree, model, systemPrompt, tools, memory }: AgentRun): ContextBudget {
  const window = tree.ports.model.contextWindow(model);
  const answer = maxAnswer(window, tree.limits.maxOutputTokens);
  const fixed = (estimateTokens(systemPrompt) + toolsSize(tools)) * memory.tokenScale;
  return {
    maxTokens: Math.max(0, Math.floor(window - answer - reserve - fixed)),
    charactersPerToken: usualCharactersPerToken / memory.tokenScale,
    subgoals: memory.subgoals,
    todos: memory.todos,
  };
}

/** A small window is not eaten up by the answer. */
export function maxAnswer(window: number, wanted: number): number {
  return Math.min(wanted, Math.floor(window / 4));
}
