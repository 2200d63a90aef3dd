import { errorOutput, type SpawnRequest, type ToolOutput } from "@muster/codebuff-protocol";
import type { AgentRun } from "../agent-run.ts";
import { fitHistory } from "../context/fit-history.ts";
import { addCosts } from "../cost.ts";
import type { PendingCall } from "../pending-call.ts";
import { shortName } from "./agent-names.ts";
import { subagentEvent } from "./run-child.ts";
import { findChild } from "./spawn-agents.ts";

/**
 * Runs an agent on this agent's own history, system prompt and tools; afterwards its history takes the place of this one.
 * `context-pruner` needs no agent: the loop itself makes the history fit.
 */
export async function spawnInline(run: AgentRun, request: SpawnRequest, pending: PendingCall): Promise<ToolOutput> {
  const { agent_type, prompt, params } = request;
  if (shortName(agent_type).replaceAll("_", "-") === "context-pruner") {
    const outcome = await fitHistory(run, params?.force === true);
    return [{ type: "json", value: { message: `Context ${outcome}` } }];
  }
  const agent = await findChild(run, agent_type, pending.isTrusted);
  if (typeof agent === "string") return errorOutput(agent);
  const { tree } = run;
  const { toolCallId } = pending.call;
  let child: AgentRun | undefined;
  let isAnnounced = false;
  const asChild = { prompt, params, onlyChild: true, toolCallId };
  const end = await tree.runAgent({
    tree,
    agent,
    agentId: tree.ports.clock.newId("agent"),
    parent: run,
    isInline: true,
    content: prompt === undefined ? [] : [{ type: "text", text: prompt }],
    params,
    messages: run.history.messages,
    onStarted(inline) {
      child = inline;
      run.memory.childRunIds.push(inline.scope.runId);
    },
    beforeFirstEvent() {
      if (child === undefined) return;
      isAnnounced = true;
      run.emit.event(subagentEvent("subagent_start", child, asChild));
    },
  });
  if (child !== undefined && isAnnounced) run.emit.event(subagentEvent("subagent_finish", child, asChild));
  run.memory.ofChildren = addCosts(run.memory.ofChildren, end.total);
  if (end.output.type === "error") return errorOutput(end.output.message);
  await run.history.replace(end.state.messageHistory, "inline");
  return [{ type: "json", value: { message: `${agent.definition.displayName} has finished` } }];
}
