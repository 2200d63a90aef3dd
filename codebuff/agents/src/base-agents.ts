import type { AgentDefinition, AgentDefinitionInput } from "@muster/codebuff-protocol";
import { define, promptInput } from "./define.ts";
import { models } from "./models.ts";
import { basePrompt, waysOfBuilding, waysOfExplaining, waysOfLeading, waysOfPlanning } from "./prompts/base.ts";
import { planSteps } from "./steps/plan-steps.ts";

const looking = ["read_files", "code_search", "glob", "list_directory", "read_subtree"];
const changing = ["str_replace", "write_file", "apply_patch", "run_terminal_command", "kill_terminal"];
const talking = ["ask_user", "suggest_followups"];
const helpers = ["file-picker", "researcher", "commander", "thinker", "editor", "code-reviewer"];

interface Variant {
  readonly displayName: string;
  readonly model: string;
  readonly toolNames: readonly string[];
  readonly spawnableAgents: readonly string[];
  readonly role: string;
  readonly ways: readonly string[];
  readonly more?: Partial<AgentDefinitionInput>;
}

const builder = "You are Codebuff, a software engineer who works in the user's project through tools.";
const leader = `${builder} You lead: you look, decide and check, and give parts of the work to other agents.`;
const fullTools = [...looking, ...changing, ...talking, "skill", "write_todos", "spawn_agents"];

/** One agent in several clothes: a row per root agent. */
const variants: Readonly<Record<string, Variant>> = {
  base: {
    displayName: "Codebuff",
    model: models.large,
    toolNames: fullTools,
    spawnableAgents: ["file-picker", "researcher", "commander", "thinker", "code-reviewer"],
    role: builder,
    ways: [...waysOfBuilding, ...waysOfLeading],
  },
  base2: {
    displayName: "Codebuff",
    model: models.large,
    toolNames: fullTools,
    spawnableAgents: helpers,
    role: leader,
    ways: [...waysOfBuilding, ...waysOfLeading],
  },
  "base-free": {
    displayName: "Codebuff Free",
    model: models.free,
    toolNames: [...looking, ...changing, ...talking, "skill", "spawn_agents"],
    spawnableAgents: ["file-picker-free", "commander-free", "code-reviewer-free"],
    role: builder,
    ways: waysOfBuilding,
  },
  "base-max": {
    displayName: "Codebuff Max",
    model: models.largest,
    toolNames: fullTools,
    spawnableAgents: ["file-picker-max", "researcher", "commander", "thinker-max", "best-of-n-editor", "code-reviewer"],
    role: leader,
    ways: [...waysOfBuilding, ...waysOfLeading],
  },
  "base2-plan": {
    displayName: "Codebuff Plan",
    model: models.large,
    toolNames: fullTools,
    spawnableAgents: helpers,
    role: leader,
    ways: [...waysOfPlanning, ...waysOfBuilding, ...waysOfLeading],
    more: { handleSteps: planSteps },
  },
  ask: {
    displayName: "Codebuff Ask",
    model: models.large,
    toolNames: [...looking, ...talking, "spawn_agents"],
    spawnableAgents: ["file-picker", "researcher", "thinker"],
    role: "You are Codebuff, a software engineer who knows the user's project and explains it.",
    ways: waysOfExplaining,
  },
};

export const baseAgents: readonly AgentDefinition[] = Object.entries(variants).map(([id, variant]) => {
  const { displayName, model, toolNames, spawnableAgents, role, ways, more } = variant;
  return define({
    id,
    displayName,
    model,
    toolNames: [...toolNames],
    spawnableAgents: [...spawnableAgents],
    inputSchema: promptInput("What to do"),
    systemPrompt: basePrompt({ role, ways }),
    ...more,
  });
});
