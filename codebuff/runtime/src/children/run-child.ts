import type { PrintModeEventOf } from "@muster/codebuff-protocol";
import type { AgentEnd, AgentRun } from "../agent-run.ts";
import { note } from "../history/messages.ts";
import type { FoundAgent } from "../ports.ts";

export interface ChildRequest {
  readonly prompt?: string;
  readonly params?: Record<string, unknown>;
  readonly onlyChild: boolean;
  /** The call that spawned it. */
  readonly toolCallId: string;
}

/** Runs an agent with a history of its own, between its `subagent_start` and `subagent_finish`. */
export async function runChild(parent: AgentRun, agent: FoundAgent, request: ChildRequest): Promise<AgentEnd> {
  const { tree } = parent;
  const { definition } = agent;
  const { prompt, params } = request;
  const agentId = tree.ports.clock.newId("agent");
  parent.memory.subagents.push(agentId);
  let child: AgentRun | undefined;
  const end = await tree.runAgent({
    tree,
    agent,
    agentId,
    parent,
    content: prompt === undefined ? [] : [{ type: "text", text: prompt }],
    params,
    messages: definition.includeMessageHistory ? inheritedState(parent) : [],
    onStarted(run) {
      child = run;
      parent.memory.childRunIds.push(run.scope.runId);
      parent.emit.event(subagentEvent("subagent_start", run, request));
    },
  });
  if (child !== undefined) parent.emit.event(subagentEvent("subagent_finish", child, request));
  return end;
}

type SubagentEvent = PrintModeEventOf<"subagent_start"> | PrintModeEventOf<"subagent_finish">;

export function subagentEvent(type: SubagentEvent["type"], run: AgentRun, request: ChildRequest): SubagentEvent {
  const { id, displayName } = run.agent.definition;
  const event: SubagentEvent = {
    type,
    agentId: run.scope.agentId,
    agentType: id,
    displayName,
    onlyChild: request.onlyChild,
    parentAgentId: run.scope.parentAgentId,
    model: run.model,
    runId: run.scope.runId,
    toolCallId: request.toolCallId,
  };
  if (request.prompt !== undefined) event.prompt = request.prompt;
  if (request.params !== undefined) event.params = request.params as NonNullable<SubagentEvent["params"]>;
  return event;
}

/** The parent's history holds no unfinished calls while a step runs; its instructions are not the child's. */
function inheritedState({ history, tree }: AgentRun) {
  const kept = history.messages.filter((message) => message.keepLastTags === undefined);
  const text = "The conversation above is that of the agent that spawned you. What follows is your own task.";
  return kept.length === 0 ? [] : [...kept, note(text, tree.ports.clock.now())];
}
