import type { AgentDefinition } from "@muster/codebuff-protocol";
import { agentModeManager } from "./agent-mode.ts";
import { baseAgents } from "./base-agents.ts";
import { editingAgents } from "./editing-agents.ts";
import { helperAgents } from "./helper-agents.ts";

export const shippedAgents: readonly AgentDefinition[] = [
  ...baseAgents,
  ...helperAgents,
  ...editingAgents,
  agentModeManager,
];

/** Ids by which people who come from the original know them. */
export const agentAliases: Readonly<Record<string, string>> = { "base2-free": "base-free", "base2-max": "base-max" };

const byId = new Map(shippedAgents.map((agent) => [agent.id, agent]));

export function shippedAgent(id: string): AgentDefinition | undefined {
  return byId.get(agentAliases[id] ?? id);
}
