import type { AgentLines } from "@muster/adapters/converters";
import { Failure } from "@muster/schema/wire";
import { ownProperty } from "../own-property.ts";

/** An agent's own protocol, by the agent's name. */
export async function agentLines(agent: string): Promise<AgentLines> {
  const { converters } = await import("@muster/adapters/converters");
  const found = ownProperty(converters, agent);
  if (found) return found;
  const known = Object.keys(converters).join(", ");
  throw new Failure("unsupported_agent", `There is no protocol of ${agent}; there are: ${known}`, { agent });
}
