import { rootAgentId, rootAgentName } from "@muster/codebuff-protocol";
import type { AgentEnd, RunTree } from "./agent-run.ts";
import { RunFailure } from "./failures.ts";
import { loopAgentSteps } from "./loop-agent-steps.ts";
import type { FoundAgent } from "./ports.ts";
import type { MainPrompt } from "./prompt.ts";
import { untilCancelled } from "./until-cancelled.ts";

/** The root agent: the one that was asked for, else by cost mode. */
export async function findRootAgent(prompt: MainPrompt, tree: Pick<RunTree, "ports" | "signal">): Promise<FoundAgent> {
  const id = rootAgentId(prompt);
  const found = await untilCancelled(tree.ports.agents.find(id, tree.signal), tree.signal);
  if ("definition" in found) return found;
  const available = found.available.join(", ") || "none";
  throw new RunFailure("agent_not_found", `There is no agent "${id}". Available agents: ${available}`, undefined);
}

/** Runs the root agent on the session's history. */
export async function mainPrompt(prompt: MainPrompt, agent: FoundAgent, tree: RunTree): Promise<AgentEnd> {
  const { mainAgentState } = prompt.sessionState;
  return loopAgentSteps({
    tree,
    agent,
    agentId: rootAgentName,
    content: prompt.content,
    params: prompt.params,
    messages: mainAgentState.messageHistory,
    subgoals: mainAgentState.agentContext,
    todos: mainAgentState.todos,
    model: prompt.model,
    appendSystemPrompt: prompt.appendSystemPrompt,
    inbox: prompt.inbox,
  });
}
