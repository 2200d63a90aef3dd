import type { Entry } from "./entries.ts";
import { partOf } from "./item-view.ts";
import type { TurnView } from "./session-fold.ts";

export interface Span {
  kind: "model" | "tool" | "person";
  label: string;
  from: number;
  to: number;
  /** Of the entry it shows; the model's spans have none. */
  key?: string;
  failed?: boolean;
}

export interface Timeline {
  from: number;
  to: number;
  /** Spans of one lane do not overlap. The first lane is the model's. */
  lanes: Span[][];
}

/** A turn to scale: when tools ran, when a person was waited for, and, between them, when the model worked. */
export function timelineOf(turn: TurnView, entries: readonly Entry[], now: number): Timeline {
  const from = turn.startedAt;
  const to = Math.max(from + 1, turn.endedAt ?? now);
  const inTurn = entries.filter((entry) => entry.turnId === turn.turnId);
  const people = inTurn.flatMap((entry) => personSpan(entry, to));
  const tools = inTurn.flatMap((entry) => toolSpan(entry, to));
  const busy = [...people, ...tools];
  return { from, to, lanes: [modelSpans(busy, from, to), ...lanesOf(people), ...lanesOf(tools)] };
}

function toolSpan(entry: Entry, end: number): Span[] {
  if (entry.kind !== "item" || entry.view.item.kind !== "tool_call") return [];
  const { item, startedAt, endedAt = end, worked = [] } = entry.view;
  const call = partOf(item, "tool_call");
  const label = call?.title ?? call?.name ?? "tool";
  const stretches = worked.length === 0 ? [{ from: startedAt, to: endedAt }] : worked;
  // One that began again and ended at once has nothing to show behind the first.
  const shown = stretches.filter(({ from, to = end }, at) => at === 0 || to > from);
  const failed = item.status === "failed";
  return shown.map(({ from, to = end }) => ({ kind: "tool", label, from, to, key: entry.key, failed }));
}

function personSpan(entry: Entry, end: number): Span[] {
  if (entry.kind !== "request") return [];
  const { event, resolved } = entry;
  const label = event.type === "permission.requested" ? event.data.title : (event.data.questions[0]?.question ?? "");
  const to = resolved === undefined ? end : Date.parse(resolved.time);
  return [{ kind: "person", label, from: Date.parse(event.time), to, key: entry.key }];
}

/** What is left of the turn when everything else is taken out. */
function modelSpans(busy: readonly Span[], from: number, to: number): Span[] {
  const spans: Span[] = [];
  let free = from;
  for (const span of [...busy].sort((one, other) => one.from - other.from)) {
    if (span.from > free) spans.push({ kind: "model", label: "model", from: free, to: Math.min(span.from, to) });
    free = Math.max(free, span.to);
  }
  if (free < to) spans.push({ kind: "model", label: "model", from: free, to });
  return spans;
}

/** Each into the first lane where it has room. */
function lanesOf(spans: readonly Span[]): Span[][] {
  const lanes: Span[][] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const lane = lanes.find((taken) => (taken.at(-1)?.to ?? 0) <= span.from);
    if (lane === undefined) lanes.push([span]);
    else lane.push(span);
  }
  return lanes;
}
