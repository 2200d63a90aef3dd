import { withEntry, withoutEntry } from "@muster/core";
import type { Item, ItemStatus, Part } from "@muster/schema";
import { chain, chainEach, emit, startItem } from "../../converter/steps.ts";
import type { ReasoningLine, TextLine } from "../wire/native.ts";
import { agentOf, type CodebuffState, type CodebuffStep, goOn, parentOf, root, type Spoken } from "../wire/state.ts";

export function onText(state: CodebuffState, line: TextLine): CodebuffStep {
  return say(state, agentOf(line), { kind: "message" }, line.text);
}

/** A thought belongs to its run; whose run it is is told by the sub-agent's first line. */
export function onReasoning(state: CodebuffState, line: ReasoningLine): CodebuffStep {
  const runId = line.runId ?? undefined;
  const agent = line.agentId || (runId === undefined ? undefined : state.runs.get(runId)) || root;
  return say(state, agent, { kind: "reasoning", runId }, line.text);
}

type Speech = Pick<Spoken, "kind" | "runId">;

/** The first piece begins an item; what the agent said before in another way is over. Nothing said begins nothing. */
function say(state: CodebuffState, agent: string, speech: Speech, text: string): CodebuffStep {
  const open = state.spoken.get(agent);
  if (open?.kind === speech.kind && open.runId === speech.runId)
    return text === "" ? emit(state) : appendText(state, agent, text);
  return chain(
    state,
    (before) => closeSpoken(before, agent),
    (before) => (text === "" ? emit(before) : begin(before, agent, speech)),
    (before) => (text === "" ? emit(before) : appendText(before, agent, text)),
  );
}

export function begin(state: CodebuffState, agent: string, speech: Speech): CodebuffStep {
  const item = { ...spokenItem(state, agent, speech), status: "in_progress" as const, content: [] };
  const reserved = speech.kind === "message" ? state.replacements.get(agent) : undefined;
  const keep = (current: CodebuffState, itemId: string): CodebuffState => ({
    ...current,
    spoken: withEntry(current.spoken, agent, { ...speech, itemId, text: "" }),
  });
  if (reserved !== undefined) {
    const next = { ...state, replacements: withoutEntry(state.replacements, agent) };
    return emit(keep(next, reserved), { type: "item.started", data: { item: { itemId: reserved, ...item } } });
  }
  const started = startItem(state, item);
  return { ...started, state: keep(started.state, started.itemId) };
}

export function appendText(state: CodebuffState, agent: string, delta: string): CodebuffStep {
  const open = state.spoken.get(agent);
  if (open === undefined) return emit(state);
  const spoken = withEntry(state.spoken, agent, { ...open, text: open.text + delta });
  const { turn } = agent === root ? goOn(state) : state;
  const part = open.kind === "message" ? "text" : "reasoning";
  return emit({ ...state, spoken, turn }, { type: "item.delta", data: { itemId: open.itemId, index: 0, part, delta } });
}

/** What an agent was saying is over with its next line of another kind. */
export function closeSpoken(
  state: CodebuffState,
  agent: string,
  { status = "completed", supersededBy }: { status?: ItemStatus; supersededBy?: string } = {},
): CodebuffStep {
  const open = state.spoken.get(agent);
  if (open === undefined) return emit(state);
  const part: Part =
    open.kind === "message"
      ? { type: "text", text: open.text }
      : { type: "reasoning", text: open.text, visibility: "public" };
  const item: Item = { itemId: open.itemId, ...spokenItem(state, agent, open), status, supersededBy, content: [part] };
  const spoken = withoutEntry(state.spoken, agent);
  return emit({ ...state, spoken }, { type: "item.completed", data: { item } });
}

export function closeAllSpoken(state: CodebuffState, status: ItemStatus = "completed"): CodebuffStep {
  return chainEach(state, [...state.spoken.keys()], (before, agent) => closeSpoken(before, agent, { status }));
}

function spokenItem(state: CodebuffState, agent: string, { kind }: Speech) {
  return { parentId: parentOf(state, agent), kind, role: "assistant" as const };
}
