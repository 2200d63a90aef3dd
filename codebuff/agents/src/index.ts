export { agentModeManager } from "./agent-mode.ts";
export { agentAliases, shippedAgent, shippedAgents } from "./shipped-agents.ts";
