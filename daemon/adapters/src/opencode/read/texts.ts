import type { Signal } from "../../signals.ts";
import { completedAs, deltaOf, itemOf, parentOf } from "./items.ts";
import type { EventOf, TextualPart } from "./native.ts";
import { inTurn, type OpencodeState, type OpencodeStep, type OpenPart, told, withoutPart, withPart } from "./state.ts";

export function textUpdated(state: OpencodeState, part: TextualPart): OpencodeStep {
  const kind = part.type === "text" ? "message" : "reasoning";
  if (!state.parts.has(part.id)) {
    return inTurn(
      state,
      (now) => begun(now, part, kind),
      (now) => textGrown(now, part),
    );
  }
  return textGrown(state, part);
}

export function partDelta(state: OpencodeState, { partID, field, delta }: EventOf<"message.part.delta">): OpencodeStep {
  const open = state.parts.get(partID);
  // The end of the part brings its whole text; until then a text with a gap in it would be wrong.
  if (open === undefined || open.torn || open.stale || field !== "text" || delta === "") return told(state);
  if (open.kind === "tool_call") return told(state);
  return told(withPart(state, partID, { ...open, told: open.told + delta }), deltaOf(open, delta));
}

/** The model's stream broke off: what it began will be said anew in parts of its own. */
export function markStale(state: OpencodeState, sessionID: string): OpencodeState {
  return marked(state, (part) => part.sessionID === sessionID && part.kind !== "tool_call", { stale: true });
}

/** Lines were lost. */
export function markTorn(state: OpencodeState): OpencodeState {
  return marked(state, (part) => part.kind !== "tool_call", { torn: true });
}

/** Only parts of the assistant have a time; the role may be unknown when lines were lost. */
export function isOfAssistant(state: OpencodeState, part: TextualPart): boolean {
  const role = state.roles.get(part.messageID);
  return role === undefined ? part.time !== undefined : role === "assistant";
}

function begun(state: OpencodeState, part: TextualPart, kind: "message" | "reasoning"): OpencodeStep {
  const itemId = `item_${state.nextItem}`;
  const bodies: Signal[] = [];
  let next: OpencodeState = { ...state, nextItem: state.nextItem + 1 };
  for (const [id, open] of state.parts) {
    if (!open.stale || open.kind !== kind || open.sessionID !== part.sessionID) continue;
    bodies.push(completedAs(open, "cancelled", itemId));
    next = withoutPart(next, id);
  }
  const parentId = parentOf(state, part.sessionID);
  const { sessionID, messageID } = part;
  const open: OpenPart = { itemId, parentId, sessionID, messageID, kind, told: "" };
  bodies.push({ type: "item.started", data: { item: itemOf(open, part.id, "in_progress", []) } });
  return told(withPart(next, part.id, open), ...bodies);
}

function textGrown(state: OpencodeState, part: TextualPart): OpencodeStep {
  const open = state.parts.get(part.id);
  if (open === undefined) return told(state);
  const ended = part.time?.end !== undefined;
  const continues = part.text.startsWith(open.told);
  if (!ended) {
    const more = continues ? part.text.slice(open.told.length) : "";
    if (more === "" || open.stale) return told(state);
    return told(withPart(state, part.id, { ...open, told: part.text }), deltaOf(open, more));
  }
  if (continues) {
    const more = part.text.slice(open.told.length);
    const whole = { ...open, told: part.text };
    const bodies = more === "" ? [] : [deltaOf(open, more)];
    return told(withoutPart(state, part.id), ...bodies, completedAs(whole, "completed", undefined, part.id));
  }
  // At its end OpenCode takes white space off; what was told stays as it was told.
  if (open.told.trimEnd() === part.text.trimEnd()) {
    return told(withoutPart(state, part.id), completedAs(open, "completed", undefined, part.id));
  }
  return told(...replaced(state, open, part));
}

/** Something was lost on the way: the whole text is told as an item of its own. */
function replaced(state: OpencodeState, open: OpenPart, part: TextualPart): [OpencodeState, ...Signal[]] {
  const itemId = `item_${state.nextItem}`;
  const next: OpenPart = { ...open, itemId, told: part.text };
  return [
    { ...withoutPart(state, part.id), nextItem: state.nextItem + 1 },
    completedAs(open, "cancelled", itemId, part.id),
    { type: "item.started", data: { item: itemOf(next, part.id, "in_progress", []) } },
    completedAs(next, "completed", undefined, part.id),
  ];
}

function marked(state: OpencodeState, which: (part: OpenPart) => boolean, mark: Partial<OpenPart>): OpencodeState {
  const parts = new Map(state.parts);
  for (const [id, part] of parts) if (which(part)) parts.set(id, { ...part, ...mark });
  return { ...state, parts };
}
