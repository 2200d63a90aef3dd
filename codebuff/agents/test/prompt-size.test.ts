import { shippedAgent, shippedAgents } from "@muster/codebuff-agents";
import { type AgentDefinition, isToolName, toolJsonSchema, toolSpec } from "@muster/codebuff-protocol";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

/** What the runtime puts in the place of each placeholder, at its largest; knowledge files are the project's own matter. */
const trees: Readonly<Record<string, number>> = {
  FILE_TREE_PROMPT_SMALL: 2_500,
  FILE_TREE_PROMPT: 10_000,
  FILE_TREE_PROMPT_LARGE: 190_000,
};

const sizes = shippedAgents.map((agent) => {
  const inherited = agent.inheritParentSystemPrompt ? undefined : promptTokens(agent.systemPrompt ?? "");
  const instructions = promptTokens(agent.instructionsPrompt ?? "") + countTokens(helpersText(agent));
  return {
    id: agent.id,
    system: inherited,
    instructions,
    tools: countTokens(JSON.stringify(toolsOf(agent))),
    tree: treeOf(agent),
  };
});

test("system prompt, instructions and tool schemas of base2 take at most 12,000 tokens, a full file tree included", () => {
  process.stdout.write(`${table()}\n`);
  const base2 = sizes.find(({ id }) => id === "base2");
  expect(total(base2)).toBeGreaterThan(1_000);
  expect(total(base2)).toBeLessThanOrEqual(12_000);
});

test("no agent's own prompt takes more than that, its file tree aside", () => {
  expect(sizes.filter((size) => total(size) - size.tree > 12_000)).toEqual([]);
});

function total(size: (typeof sizes)[number] | undefined): number {
  return size === undefined ? 0 : (size.system ?? 0) + size.instructions + size.tools + size.tree;
}

function promptTokens(template: string): number {
  return countTokens(template.replace(/\{CODEBUFF_[A-Z_]+\}/g, ""));
}

function treeOf({ systemPrompt = "" }: AgentDefinition): number {
  return Object.entries(trees).find(([name]) => systemPrompt.includes(`{CODEBUFF_${name}}`))?.[1] ?? 0;
}

/** As the model is offered them: the agent's tools, and its helpers as tools of their own. */
function toolsOf({ toolNames, spawnableAgents }: AgentDefinition): object[] {
  const own = toolNames.filter(isToolName).map((name) => ({
    name,
    description: toolSpec(name).summary,
    inputSchema: toolJsonSchema(name),
  }));
  const helpers = spawnableAgents.map((name) => ({
    name: name.replaceAll("-", "_"),
    description: shippedAgent(name)?.spawnerPrompt,
    inputSchema: { type: "object", properties: shippedAgent(name)?.inputSchema },
  }));
  return [...own, ...helpers];
}

function helpersText({ spawnableAgents }: AgentDefinition): string {
  return spawnableAgents.map((name) => `- ${name}: ${shippedAgent(name)?.spawnerPrompt}`).join("\n");
}

function table(): string {
  const rows = sizes.map((size) => [
    size.id,
    size.system ?? "parent's",
    size.instructions,
    size.tools,
    size.tree,
    total(size),
  ]);
  return [["agent", "system", "instructions", "tools", "file tree", "in all"], ...rows]
    .map((row) =>
      row.map((cell, index) => (index === 0 ? String(cell).padEnd(20) : String(cell).padStart(12))).join(""),
    )
    .join("\n");
}
