import { withEntry, withoutEntry } from "@muster/core";
import type { ItemStatus, Part } from "@muster/schema";
import { chain, chainEach, emit, startItem } from "../../converter/steps.ts";
import type { SubagentLine } from "../wire/native.ts";
import { agentOf, type CodebuffState, type CodebuffStep, parentOf, type Subagent } from "../wire/state.ts";
import { toolKindOf } from "../wire/tools.ts";
import { closeSpoken } from "./on-text.ts";

/** A sub-agent is an item under the call that spawned it; everything it says and does lies under that item. */
export function onSubagentStart(state: CodebuffState, line: SubagentLine): CodebuffStep {
  const { agentId, runId } = line;
  const spawner = agentOf({ agentId: line.parentAgentId });
  return chain(
    state,
    (before) => closeSpoken(before, spawner),
    (before) => {
      const parentId = spawningCall(before, line, spawner) ?? parentOf(before, spawner);
      const item = subagentItem(line, parentId);
      const { itemId, ...started } = startItem(before, { ...item, status: "in_progress" });
      const agents = withEntry(started.state.agents, agentId, { itemId, item, runId });
      const runs = runId ? withEntry(started.state.runs, runId, agentId) : started.state.runs;
      return { ...started, state: { ...started.state, agents, runs } };
    },
  );
}

/** The original does not name the call: then it is the last one of that agent that can spawn. An empty name is none. */
function spawningCall(state: CodebuffState, { toolCallId, agentType }: SubagentLine, spawner: string) {
  if (toolCallId === "") return undefined;
  const named = toolCallId ? state.calls.get(toolCallId) : undefined;
  const isSpawning = (name: string) => toolKindOf(name) === "agent" || name === agentType;
  const call = named ?? [...state.calls.values()].findLast(({ agent, name }) => agent === spawner && isSpawning(name));
  return call?.itemId;
}

export function onSubagentFinish(state: CodebuffState, line: SubagentLine): CodebuffStep {
  const known = state.agents.get(line.agentId);
  if (known === undefined) {
    return chain(
      state,
      (before) => onSubagentStart(before, line),
      (before) => onSubagentFinish(before, line),
    );
  }
  return chain(
    state,
    (before) => closeSpoken(before, line.agentId),
    (before) => endSubagent(before, line.agentId, known, "completed"),
  );
}

export function endAllSubagents(state: CodebuffState, status: ItemStatus): CodebuffStep {
  return chainEach(state, [...state.agents].reverse(), (before, [agentId, known]) =>
    endSubagent(before, agentId, known, status),
  );
}

function endSubagent(
  state: CodebuffState,
  agentId: string,
  { itemId, item, runId }: Subagent,
  status: ItemStatus,
): CodebuffStep {
  const runs = runId ? withoutEntry(state.runs, runId) : state.runs;
  const next = { ...state, agents: withoutEntry(state.agents, agentId), runs };
  return emit(next, { type: "item.completed", data: { item: { itemId, ...item, status } } });
}

function subagentItem(line: SubagentLine, parentId: string | undefined): Subagent["item"] {
  const { agentId, agentType, displayName, prompt, model, params } = line;
  const info = { agentType, model: model ?? undefined, params: params ?? undefined };
  const content: Part[] = [
    { type: "status", label: displayName, detail: prompt ?? undefined },
    { type: "json", json: info },
  ];
  return { nativeItemId: agentId, parentId, kind: "status", role: "system", content };
}
