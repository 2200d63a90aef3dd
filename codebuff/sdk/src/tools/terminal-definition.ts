import { type AgentDefinition, type ToolDefinition, toolJsonSchema, toolSpec } from "@muster/codebuff-protocol";

const name = "run_terminal_command";

/** The terminal as an agent is offered it where something confines its commands: the model is told what. */
export function terminalDefinition(agent: AgentDefinition, note: string): ToolDefinition[] {
  if (note === "" || !agent.toolNames.includes(name)) return [];
  const inputSchema = toolJsonSchema(name) as ToolDefinition["inputSchema"];
  return [{ name, description: `${toolSpec(name).summary}. ${note}`, inputSchema }];
}
