import { checkAgentDefinitions, isToolName, modes, rootAgentId } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import { agentAliases, shippedAgent, shippedAgents } from "./shipped-agents.ts";

test("every agent passes the checks of a definition, and ids are unique", () => {
  const { agents, faults } = checkAgentDefinitions(shippedAgents);
  expect(faults).toEqual([]);
  expect(agents).toHaveLength(shippedAgents.length);
});

describe.each(shippedAgents)("$id", ({ id, toolNames, spawnableAgents, spawnerPrompt }) => {
  test("names only tools and agents that exist", () => {
    expect(toolNames.filter((name) => !isToolName(name))).toEqual([]);
    expect(spawnableAgents.filter((name) => shippedAgent(name) === undefined)).toEqual([]);
    expect(new Set(toolNames).size).toBe(toolNames.length);
  });

  test("says what it is for if another agent may call it", () => {
    const isCalled = shippedAgents.some((other) => other.spawnableAgents.includes(id));
    expect(!isCalled || spawnerPrompt !== undefined).toBe(true);
  });

  test("cannot come back to itself through the agents it calls", () => {
    const reached = new Set<string>();
    const visit = (name: string) => {
      for (const next of shippedAgent(name)?.spawnableAgents ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(id);
    expect(reached.has(id)).toBe(false);
  });
});

test("every mode and cost mode finds its agent", () => {
  const costModes = ["free", "normal", "max", "ask", "experimental", undefined];
  const wanted = [
    ...costModes.map((costMode) => rootAgentId({ costMode })),
    ...Object.values(modes).map(({ agent, costMode }) => rootAgentId({ agent, costMode })),
    ...Object.keys(agentAliases),
  ];
  expect(wanted.filter((id) => shippedAgent(id) === undefined)).toEqual([]);
  expect(shippedAgent("base2-max")).toBe(shippedAgent("base-max"));
});

test("the free agent and all it calls run on a free model; it has neither todos nor proposals", () => {
  const free = shippedAgent("base-free");
  const all = [free, ...(free?.spawnableAgents ?? []).map(shippedAgent)];
  expect(new Set(all.map((agent) => agent?.model)).size).toBe(1);
  expect(free?.toolNames.filter((name) => /todos|propose/.test(name))).toEqual([]);
});

test("asking changes nothing, and planning has the tools of building", () => {
  const writers = ["str_replace", "write_file", "apply_patch", "run_terminal_command", "create_plan"];
  expect(shippedAgent("ask")?.toolNames.filter((name) => writers.includes(name))).toEqual([]);
  expect(shippedAgent("base2-plan")?.toolNames).toEqual(shippedAgent("base2")?.toolNames);
});

test("nothing volatile stands before the step reminder", () => {
  for (const { systemPrompt = "", instructionsPrompt = "" } of shippedAgents) {
    expect(systemPrompt + instructionsPrompt).not.toMatch(
      /CODEBUFF_(?:REMAINING_STEPS|GIT_CHANGES_PROMPT|USER_INPUT_PROMPT)/,
    );
  }
});
