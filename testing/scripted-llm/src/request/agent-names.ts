/** The agents whose tool names and ways we know. */
export const agentNames = ["claude", "codex", "opencode", "codebuff", "amp"] as const;
export type AgentName = (typeof agentNames)[number];
