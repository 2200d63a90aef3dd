import type { Message } from "@muster/codebuff-protocol";
import type { AgentRun } from "./agent-run.ts";
import type { TurningAgent } from "./ports.ts";

/** How an agent is named to whoever is asked at its turning points. */
export function turningAgent({ scope, agent, parent }: AgentRun): TurningAgent {
  return { agentId: scope.agentId, agentType: agent.definition.id, isRoot: parent === undefined };
}

/** What the agent said last. */
export function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(
    (message) => message.role === "assistant" && message.content.some((part) => part.type === "text"),
  );
  if (last?.role !== "assistant") return "";
  return last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
