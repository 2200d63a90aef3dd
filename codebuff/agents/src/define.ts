import { AgentDefinition, type AgentDefinitionInput } from "@muster/codebuff-protocol";

/** Checked when the package is loaded: a shipped agent that breaks a rule breaks the build, not a user's run. */
export function define(definition: AgentDefinitionInput): AgentDefinition {
  return AgentDefinition.parse(definition);
}

/** The `inputSchema` of an agent that is spoken to. */
export function promptInput(description: string): { prompt: { type: "string"; description: string } } {
  return { prompt: { type: "string", description } };
}
