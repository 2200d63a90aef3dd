import type { AgentRun } from "../agent-run.ts";
import type { TemplateValues } from "./fill-template.ts";

export function templateValues(run: Pick<AgentRun, "agent" | "tree" | "memory" | "prompts">): TemplateValues {
  const { agent, tree, memory, prompts } = run;
  return {
    agentName: agent.definition.displayName,
    files: tree.files,
    remainingSteps: memory.stepsRemaining,
    userPrompt: prompts.user,
    initialPrompt: prompts.initial,
  };
}
