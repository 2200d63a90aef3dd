import { agentAliases, shippedAgent } from "@muster/codebuff-agents";

/** The agent of free mode and those it calls. */
const freeAgents = ["base-free", ...(shippedAgent("base-free")?.spawnableAgents ?? [])];

/**
 * Free mode is paid for by nobody, so it is open only for its own agents with the models they ship with. The agent is the one
 * of the run's row: what the request says about itself does not count.
 */
export function isFree(costMode: string | undefined, agentName: string, model: string): boolean {
  const id = agentAliases[agentName] ?? agentName;
  return costMode === "free" && freeAgents.includes(id) && shippedAgent(id)?.model === model;
}

/** Nobody pays for more in one answer. Our clients ask for half of it. */
export const mostFreeTokens = 64_000;

/** They look things up and sum up for the agents that do the work. */
const supportAgents = ["file-picker", "file-picker-max", "researcher", "commander", "context-pruner"];

/** Small calls of these agents, with the models they ship with, are free in every mode; what costs as much as a limit is not. */
export function isSupport(agentName: string, model: string): boolean {
  const id = agentAliases[agentName] ?? agentName;
  return supportAgents.includes(id) && shippedAgent(id)?.model === model;
}
