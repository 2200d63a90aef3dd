import {
  errorOutput,
  interruptedMessage,
  type JsonPart,
  type SpawnRequest,
  type SpawnResult,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import type { AgentRun } from "../agent-run.ts";
import { addCosts } from "../cost.ts";
import { Cancelled } from "../failures.ts";
import type { PendingCall } from "../pending-call.ts";
import type { FoundAgent } from "../ports.ts";
import { throwIfAborted, untilCancelled } from "../until-cancelled.ts";
import { matchAgent, notAvailable } from "./agent-names.ts";
import { runChild } from "./run-child.ts";

/** Runs agents in parallel, at most so many at once in the whole tree. One result per request, in the order of the requests. */
export async function spawnAgents(
  run: AgentRun,
  requests: readonly SpawnRequest[],
  pending: PendingCall,
): Promise<ToolOutput> {
  const found = await Promise.all(requests.map(({ agent_type }) => findChild(run, agent_type, pending.isTrusted)));
  const refusals = found.filter((one) => typeof one === "string");
  if (refusals.length === requests.length) return errorOutput(refusals.join("; "));
  const onlyChild = requests.length === 1;
  // A child that waits for its own children gives its place to others; otherwise eight waiting parents would be stuck.
  const { slots, signal } = run.tree;
  if (run.depth > 0) slots.give();
  try {
    const results = await Promise.all(
      requests.map((request, index): Promise<SpawnResult> | SpawnResult => {
        const child = found[index];
        if (child === undefined || typeof child === "string") return refusedSpawn(request, child ?? "not found");
        return spawnOne(run, child, request, { onlyChild, toolCallId: pending.call.toolCallId });
      }),
    );
    throwIfAborted(signal);
    return [{ type: "json", value: results as JsonPart["value"] }];
  } finally {
    if (run.depth > 0) await retakeSlot(run);
  }
}

async function retakeSlot({ tree: { slots, signal } }: AgentRun): Promise<void> {
  try {
    await slots.take(signal);
  } catch {
    // Aborted while waiting: the place is given back again by this child's end, so it is taken without waiting.
    slots.owe();
  }
}

/** The agent, or why it is not spawned. */
export async function findChild(run: AgentRun, requested: string, mayBeAny: boolean): Promise<FoundAgent | string> {
  const { limits, ports, signal } = run.tree;
  const id = matchAgent(requested, run.spawnable.keys()) ?? (mayBeAny ? requested : undefined);
  if (id === undefined) return notAvailable(requested);
  if (run.depth + 1 > limits.maxDepth) return `Agent "${requested}" would be nested deeper than ${limits.maxDepth}`;
  const found = await untilCancelled(ports.agents.find(id, signal), signal);
  return "definition" in found ? found : `Agent "${requested}" was not found`;
}

function refusedSpawn({ agent_type }: SpawnRequest, errorMessage: string): SpawnResult {
  return { agentName: agent_type, agentType: agent_type, value: { errorMessage } };
}

async function spawnOne(
  run: AgentRun,
  child: FoundAgent,
  { prompt, params }: SpawnRequest,
  how: { onlyChild: boolean; toolCallId: string },
): Promise<SpawnResult> {
  const { displayName: agentName, id: agentType } = child.definition;
  const { slots, signal } = run.tree;
  try {
    await slots.take(signal);
  } catch {
    // Only an abort ends the wait for a slot.
    return { agentName, agentType, value: { errorMessage: interruptedMessage } };
  }
  try {
    const end = await runChild(run, child, { prompt, params, ...how });
    run.memory.ofChildren = addCosts(run.memory.ofChildren, end.total);
    const { output } = end;
    const value = output.type === "error" ? { errorMessage: output.message } : (output as JsonPart["value"]);
    return { agentName, agentType, value };
  } catch (error) {
    const errorMessage = error instanceof Cancelled ? interruptedMessage : messageOf(error);
    return { agentName, agentType, value: { errorMessage } };
  } finally {
    slots.give();
  }
}
