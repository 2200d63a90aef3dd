import { type Capabilities, permissionModes } from "@muster/schema/wire";

/**
 * What most agents can do; each agent's index says in what it differs. A new capability begins here as `false`: an agent has it
 * once its index says so and its tests show it.
 */
export const usualCapabilities: Capabilities = {
  questions: true,
  permissions: true,
  planApproval: true,
  interrupt: true,
  steer: true,
  resume: true,
  models: true,
  modes: true,
  variants: true,
  reasoning: true,
  deltas: true,
  toolInputDeltas: true,
  toolOutputDeltas: true,
  diffs: true,
  todos: true,
  subagents: true,
  usage: true,
  cost: true,
  gateway: true,
  images: true,
  attachments: true,
  mcp: true,
  systemPrompt: true,
  structuredOutput: false,
  sharedServer: false,
  live: ["model", "agentMode", "variant", "permissionMode"],
  permissionModes: [...permissionModes],
};
