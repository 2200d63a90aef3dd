import { chain, emit } from "../../converter/steps.ts";
import type { Signal } from "../../signals.ts";
import type { EventOf, TextualPart } from "../wire/native.ts";
import {
  authorOf,
  type OpencodeState,
  type OpencodeStep,
  type OpenPart,
  withoutPart,
  withPart,
} from "../wire/state.ts";
import { completeAs, deltaOf, itemOf, parentOf } from "./items.ts";

export function updateText(state: OpencodeState, part: TextualPart): OpencodeStep {
  const kind = part.type === "text" ? "message" : "reasoning";
  if (!state.parts.has(part.id)) {
    return chain(
      state,
      (now) => startText(now, part, kind),
      (now) => growText(now, part),
    );
  }
  return growText(state, part);
}

export function onPartDelta(
  state: OpencodeState,
  { partID, field, delta }: EventOf<"message.part.delta">,
): OpencodeStep {
  const open = state.parts.get(partID);
  // The end of the part brings its whole text; until then a text with a gap in it would be wrong.
  if (open === undefined || open.torn || open.stale || field !== "text" || delta === "") return emit(state);
  if (open.kind === "tool_call") return emit(state);
  return emit(withPart(state, partID, { ...open, told: open.told + delta }), deltaOf(open, delta));
}

/** The model's stream broke off: what it began will be said anew in parts of its own. */
export function markStale(state: OpencodeState, sessionID: string): OpencodeState {
  const marked = markParts(state, (part) => part.sessionID === sessionID && part.kind !== "tool_call", { stale: true });
  return { ...marked, stale: [...marked.parts].flatMap(([id, { stale }]) => (stale ? [id] : [])) };
}

/** Marks every open text as one whose lines were partly lost: its pieces are not told, only its end. */
export function markTorn(state: OpencodeState): OpencodeState {
  return markParts(state, (part) => part.kind !== "tool_call", { torn: true });
}

/** Only parts of the assistant have a time; the role may be unknown when lines were lost. */
export function isOfAssistant(state: OpencodeState, part: TextualPart): boolean {
  const author = authorOf(state, part.messageID);
  return author === undefined ? part.time !== undefined : author === "assistant";
}

function startText(state: OpencodeState, part: TextualPart, kind: "message" | "reasoning"): OpencodeStep {
  const itemId = `item_${state.nextItem}`;
  const bodies: Signal[] = [];
  let next: OpencodeState = { ...state, nextItem: state.nextItem + 1 };
  for (const id of state.stale) {
    const open = state.parts.get(id);
    if (open?.kind !== kind || open.sessionID !== part.sessionID) continue;
    bodies.push(completeAs(state, open, "cancelled", itemId));
    next = withoutPart({ ...next, stale: next.stale.filter((other) => other !== id) }, id);
  }
  const parentId = parentOf(state, part.sessionID);
  const { sessionID, messageID } = part;
  const open: OpenPart = { itemId, parentId, sessionID, messageID, kind, told: "" };
  bodies.push({ type: "item.started", data: { item: itemOf(open, part.id, "in_progress", []) } });
  return emit(withPart(next, part.id, open), ...bodies);
}

function growText(state: OpencodeState, part: TextualPart): OpencodeStep {
  const open = state.parts.get(part.id);
  if (open === undefined) return emit(state);
  const ended = part.time?.end !== undefined;
  const continues = part.text.startsWith(open.told);
  if (!ended) {
    const more = continues ? part.text.slice(open.told.length) : "";
    if (more === "" || open.stale) return emit(state);
    return emit(withPart(state, part.id, { ...open, told: part.text }), deltaOf(open, more));
  }
  if (continues) {
    const more = part.text.slice(open.told.length);
    const whole = { ...open, told: part.text };
    const bodies = more === "" ? [] : [deltaOf(open, more)];
    return emit(withoutPart(state, part.id), ...bodies, completeAs(state, whole, "completed", undefined, part.id));
  }
  // At its end OpenCode takes white space off; what was told stays as it was told.
  if (open.told.trimEnd() === part.text.trimEnd()) {
    return emit(withoutPart(state, part.id), completeAs(state, open, "completed", undefined, part.id));
  }
  return emit(...replaceText(state, open, part));
}

/** Something was lost on the way: the whole text is told as an item of its own. */
function replaceText(state: OpencodeState, open: OpenPart, part: TextualPart): [OpencodeState, ...Signal[]] {
  const itemId = `item_${state.nextItem}`;
  const next: OpenPart = { ...open, itemId, told: part.text };
  return [
    { ...withoutPart(state, part.id), nextItem: state.nextItem + 1 },
    completeAs(state, open, "cancelled", itemId, part.id),
    { type: "item.started", data: { item: itemOf(next, part.id, "in_progress", []) } },
    completeAs(state, next, "completed", undefined, part.id),
  ];
}

function markParts(state: OpencodeState, which: (part: OpenPart) => boolean, mark: Partial<OpenPart>): OpencodeState {
  const parts = new Map(state.parts);
  for (const [id, part] of parts) if (which(part)) parts.set(id, { ...part, ...mark });
  return { ...state, parts };
}
