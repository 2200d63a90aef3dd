import { messageItem } from "../../converter/message-item.ts";
import { addItem, chain, chainEach, emit } from "../../converter/steps.ts";
import { stopOutcome } from "../../converter/stop-outcome.ts";
import type { AssistantBlock, AssistantLine } from "../wire/native.ts";
import { type AmpState, type AmpStep, closeTurn, parentItem, turnFacts } from "../wire/state.ts";
import { endCallsOf, startCall } from "./tool-calls.ts";
import { addUsage } from "./usage.ts";

/** A whole message of the model. The last one of the conversation itself ends the turn; one of a sub-agent does not. */
export function onAssistant(state: AmpState, line: AssistantLine): AmpStep {
  const { content, stop_reason, usage } = line.message;
  const parent = line.parent_tool_use_id ?? undefined;
  // A message cut short by a steering one, or by an interrupt, is printed as far as it came.
  const isCut = !stop_reason && (state.isStopping || state.unheard.some(({ steers }) => steers));
  const isUnended = !stop_reason && !isCut && parent === undefined && !content.some(isCall);
  const isEnd = !!stop_reason && !goesOn.has(stop_reason) && parent === undefined;
  return chain(
    parent === undefined ? { ...state, turn: { ...state.turn, isOpen: true, unended: undefined } } : state,
    (before) => endCallsOf(before, parent),
    (before) => chainEach(before, content, (current, block) => addBlock(current, block, { parent, isCut })),
    (before) => (usage ? addUsage(before, usage, { isOwn: parent === undefined }) : emit(before)),
    (before) => (isEnd ? endTurn(before, stop_reason) : emit(before)),
    (before) => emit(isUnended ? { ...before, turn: { ...before.turn, unended: {} } } : before),
  );
}

/** How long Amp may take to say why a message has no end. */
const patienceMs = 3_000;

/** Of an answer that its limit, a refusal or a filter cut it says nothing more, and goes on with the next message (0.0.1768018268). */
export function endUnended(state: AmpState, nowMs: number): AmpStep {
  const { unended } = state.turn;
  if (unended === undefined || !state.turn.isOpen || state.isStopping) return emit(state);
  const { sinceMs = nowMs } = unended;
  if (nowMs - sinceMs < patienceMs) return emit({ ...state, turn: { ...state.turn, unended: { sinceMs } } });
  const message = "The model's answer was cut, and Amp does not say why: its output limit, a refusal or a filter";
  const failure = { status: "failed", cause: "agent_error", message } as const;
  return emit(closeTurn(state), { type: "turn.finished", data: { ...failure, ...turnFacts(state) } });
}

function addBlock(
  state: AmpState,
  block: AssistantBlock,
  { parent, isCut }: { parent: string | undefined; isCut: boolean },
): AmpStep {
  const parentId = parentItem(state, parent);
  const status = isCut ? "cancelled" : "completed";
  if (isText(block)) return addItem(state, messageItem({ what: "text", text: block.text, status, parentId }));
  if (isThinking(block)) {
    return addItem(state, messageItem({ what: "thinking", text: block.thinking, status, parentId }));
  }
  if (isCall(block)) return startCall(state, { callId: block.id, name: block.name, input: block.input, parent });
  if (block.type === "redacted_thinking") {
    const content = [{ type: "reasoning", text: "", visibility: "private" } as const];
    return addItem(state, { parentId, kind: "reasoning", role: "assistant", status, content });
  }
  const content = [{ type: "json", json: block } as const];
  return addItem(state, { parentId, kind: "message", role: "assistant", status, content });
}

const isText = (block: AssistantBlock): block is Extract<AssistantBlock, { type: "text"; text: string }> =>
  block.type === "text";
const isThinking = (block: AssistantBlock): block is Extract<AssistantBlock, { type: "thinking"; thinking: string }> =>
  block.type === "thinking";
const isCall = (block: AssistantBlock): block is Extract<AssistantBlock, { type: "tool_use"; name: string }> =>
  block.type === "tool_use";

/** A steering message that Amp has not heard yet is answered next; to a client that is still the same turn. */
function endTurn(state: AmpState, reason: string): AmpStep {
  if (state.unheard.some(({ steers }) => steers)) return emit(state);
  const data = { ...stopOutcome(reason), ...turnFacts(state) };
  return emit(closeTurn(state), { type: "turn.finished", data });
}

/** After these the model is asked again. */
const goesOn: ReadonlySet<string> = new Set(["tool_use", "pause_turn"]);
