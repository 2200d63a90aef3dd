import type { AgentDefinition } from "@muster/codebuff-protocol";

export interface InstructionParts {
  readonly definition: AgentDefinition;
  /** The filled-in instructions prompt. */
  readonly text: string;
  readonly spawnable: ReadonlyMap<string, AgentDefinition>;
  /** When the tool list is the parent's, what of it this agent may use. */
  readonly allowedTools: readonly string[] | undefined;
}

/** The agent's instructions with what it has to know about its helpers, tools and output; undefined when there is nothing. */
export function instructionsText(parts: InstructionParts): string | undefined {
  const { definition, text, spawnable, allowedTools } = parts;
  const sections: string[] = [];
  if (text !== "") sections.push(text);
  if (spawnable.size > 0) {
    const list = [...spawnable].map(([id, { spawnerPrompt }]) => `- ${id}${spawnerPrompt ? `: ${spawnerPrompt}` : ""}`);
    sections.push(`You can spawn these agents:\n\n${list.join("\n")}`);
  }
  if (allowedTools !== undefined) sections.push(`Of the tools you see you may call only: ${allowedTools.join(", ")}.`);
  if (definition.outputSchema !== undefined) {
    const schema = JSON.stringify(definition.outputSchema, null, 2);
    sections.push(`Give your result with set_output; it has to fit this JSON schema:\n\n\`\`\`json\n${schema}\n\`\`\``);
  }
  return sections.length === 0 ? undefined : sections.join("\n\n");
}
