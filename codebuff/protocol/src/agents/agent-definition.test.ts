import { expect, test } from "vitest";
import { checkAgentDefinitions } from "./agent-definition.ts";

const good = { id: "file-picker", displayName: "File picker", model: "google/gemini-2.5-flash" };

test("defaults make a small definition complete", () => {
  const { agents, faults } = checkAgentDefinitions([good]);
  expect(faults).toEqual([]);
  expect(agents).toEqual([
    {
      ...good,
      mcpServers: {},
      toolNames: [],
      spawnableAgents: [],
      outputMode: "last_message",
      includeMessageHistory: false,
      inheritParentSystemPrompt: false,
      toolCallFormat: "native",
    },
  ]);
});

test.each([
  ["an id with capitals", { ...good, id: "FilePicker" }, "lower-case"],
  ["a model without vendor", { ...good, model: "gemini" }, "vendor/model"],
  ["an output schema without structured output", { ...good, outputSchema: { type: "object" } }, "structured_output"],
  ["spawnable agents without the tool", { ...good, spawnableAgents: ["thinker"] }, "spawn_agents"],
  ["two system prompts", { ...good, systemPrompt: "x", inheritParentSystemPrompt: true }, "exclude each other"],
  ["steps whose text is no generator", { ...good, handleSteps: "() => 1" }, "generator"],
  ["steps that are no generator", { ...good, handleSteps: () => undefined }, "generator"],
  ["effort and max_tokens together", { ...good, reasoningOptions: { effort: "high", max_tokens: 5 } }, "only one of"],
  ["nothing at all", null, "expected object"],
])("%s is refused and does not hide the good one", (_title, candidate, reason) => {
  const other = { ...good, id: "other" };
  const { agents, faults } = checkAgentDefinitions([candidate, other]);
  expect(agents.map((agent) => agent.id)).toEqual(["other"]);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toContain(reason);
});

test("the second agent of the same id is refused", () => {
  expect(checkAgentDefinitions([good, good]).faults).toEqual([
    { id: "file-picker", message: "another agent has the same id" },
  ]);
});

test("a generator function and a JSON schema survive unchanged", () => {
  const handleSteps = function* () {
    yield "STEP";
  };
  const outputSchema = { type: "object", properties: { x: { $ref: "#/$defs/x" } }, $defs: { x: { oneOf: [] } } };
  const [agent] = checkAgentDefinitions([
    { ...good, handleSteps, outputSchema, outputMode: "structured_output" },
  ]).agents;
  expect(agent?.handleSteps).toBe(handleSteps);
  expect(JSON.stringify(agent?.outputSchema)).toBe(JSON.stringify(outputSchema));
});
