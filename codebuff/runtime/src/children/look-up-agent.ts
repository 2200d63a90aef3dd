import type { JsonPart, ToolOutput } from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { untilCancelled } from "../until-cancelled.ts";

export async function lookUpAgent({ tree }: AgentRun, { agentId }: { agentId: string }): Promise<ToolOutput> {
  const found = await untilCancelled(tree.ports.agents.find(agentId, tree.signal), tree.signal);
  if (!("definition" in found)) {
    const error = `There is no agent ${agentId}. Available: ${found.available.join(", ")}`;
    return [{ type: "json", value: { found: false, error } }];
  }
  const { handleSteps, systemPrompt, instructionsPrompt, stepPrompt, mcpServers, ...shown } = found.definition;
  const agent = JSON.parse(JSON.stringify(shown)) as JsonPart["value"];
  return [{ type: "json", value: { found: true, agent } }];
}
