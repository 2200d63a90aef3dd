/** The agents this version can drive. A list for completion and documents: an adapter decides whether a name is taken. */
export const agentNames = ["claude", "codex", "opencode", "amp", "codebuff", "mock"] as const;
