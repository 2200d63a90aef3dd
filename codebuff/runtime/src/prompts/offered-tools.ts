import {
  type AgentDefinition,
  isToolName,
  type Skill,
  type ToolDefinition,
  toolJsonSchema,
  toolSpec,
} from "@muster/codebuff-protocol";
import { shortName } from "../children/agent-names.ts";

export interface ToolSources {
  readonly definition: AgentDefinition;
  /** Custom and MCP tools, as the tools port gave them. */
  readonly others: readonly ToolDefinition[];
  readonly spawnable: ReadonlyMap<string, AgentDefinition>;
  readonly skills: readonly Skill[];
}

/** The tools an agent's model is offered: those of the table it names, what the port gave, and its helpers as direct tools. */
export function offeredTools({ definition, others, spawnable, skills }: ToolSources): ToolDefinition[] {
  const offered = new Map<string, ToolDefinition>();
  for (const name of definition.toolNames) if (isToolName(name)) offered.set(name, ofTable(name, skills));
  for (const tool of others) offered.set(tool.name, tool);
  for (const [id, agent] of spawnable) {
    const name = shortName(id);
    if (!offered.has(name)) offered.set(name, asTool(name, agent));
  }
  return [...offered.values()];
}

const ofTableCache = new Map<string, ToolDefinition>();

function ofTable(name: Parameters<typeof toolSpec>[0], skills: readonly Skill[]): ToolDefinition {
  const known = ofTableCache.get(name) ?? {
    name,
    description: toolSpec(name).summary,
    inputSchema: toolJsonSchema(name) as ToolDefinition["inputSchema"],
  };
  ofTableCache.set(name, known);
  if (name !== "skill" || skills.length === 0) return known;
  const list = skills.map((skill) => `- ${skill.name}: ${skill.description}`).join("\n");
  return { ...known, description: `${known.description}. Skills:\n${list}` };
}

function asTool(name: string, { spawnerPrompt, displayName, inputSchema }: AgentDefinition): ToolDefinition {
  const properties: Record<string, ToolDefinition["inputSchema"]> = {};
  if (inputSchema?.prompt !== undefined || inputSchema?.params === undefined) {
    properties.prompt = { type: "string", ...(inputSchema?.prompt ?? {}) };
  }
  if (inputSchema?.params !== undefined) properties.params = inputSchema.params;
  return {
    name,
    description: spawnerPrompt ?? `Spawn the agent ${displayName}`,
    inputSchema: { type: "object", properties },
  };
}
