import type { AgentDefinition } from "@muster/codebuff-protocol";

export interface RootShape {
  /** Reasoning effort of the root agent's model. */
  readonly variant?: "low" | "medium" | "high";
  /** JSON schema of a structured answer of the root agent. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

/** The root agent as this one run wants it; every other agent stays what it is. */
export function shapeRoot(
  agents: readonly AgentDefinition[],
  root: string,
  { variant, outputSchema }: RootShape,
): readonly AgentDefinition[] {
  if (variant === undefined && outputSchema === undefined) return agents;
  const at = agents.findIndex(({ id }) => id === root);
  return agents.map((agent, index) => (index === at ? withSchema(withEffort(agent, variant), outputSchema) : agent));
}

function withEffort(agent: AgentDefinition, effort: RootShape["variant"]): AgentDefinition {
  if (effort === undefined) return agent;
  const { max_tokens: _, ...options } = agent.reasoningOptions ?? {};
  return { ...agent, reasoningOptions: { ...options, enabled: true, effort } };
}

function withSchema(agent: AgentDefinition, outputSchema: RootShape["outputSchema"]): AgentDefinition {
  if (outputSchema === undefined) return agent;
  const toolNames = [...new Set([...agent.toolNames, "set_output"])];
  return { ...agent, outputMode: "structured_output", outputSchema: { ...outputSchema } as never, toolNames };
}
