import { isDeepStrictEqual } from "node:util";
import type { Body, Item, Part, UniversalEvent } from "@muster/schema";
import type { Report, Watch } from "../violation.ts";

interface OpenItem {
  item: Item;
  turnId: string | undefined;
  deltas: Map<number, { part: DeltaPart; text: string }>;
  isTruncated: boolean;
}
type DeltaPart = Body<"item.delta">["data"]["part"];

/** One start, deltas, one completion; deltas add up to what was completed; nothing stays open without a reason. */
export const items: Watch = (report, { finished, filtered, after }) => {
  const open = new Map<string, OpenItem>();
  const closed = new Set<string>();
  const successors = new Set<string>();
  // A list from the middle of a log may go on with items whose start it does not show.
  const isKnown = (itemId: string, what: string) => {
    if (open.has(itemId)) return true;
    if (closed.has(itemId)) report(`${what} of ${itemId}, which was completed before`);
    else if (after === 0) report(`${what} of ${itemId}, which was never started`);
    return false;
  };
  return {
    see(event) {
      if (event.type === "item.started") {
        const { item } = event.data;
        if (open.has(item.itemId) || closed.has(item.itemId)) report(`${item.itemId} is started a second time`);
        open.set(item.itemId, startedItem(item, event));
        successors.delete(item.itemId);
      } else if (event.type === "item.delta") {
        if (isKnown(event.data.itemId, "a delta")) addDelta(open.get(event.data.itemId), event, report);
      } else if (event.type === "item.completed") {
        const { item } = event.data;
        const start = isKnown(item.itemId, "a completion") ? open.get(item.itemId) : undefined;
        if (start) checkCompletion(start, item, { filtered, isCut: event.truncated !== undefined }, report);
        open.delete(item.itemId);
        closed.add(item.itemId);
        if (item.supersededBy !== undefined) {
          if (item.status !== "cancelled") report(`${item.itemId} is superseded and ${item.status}`);
          if (!open.has(item.supersededBy) && !closed.has(item.supersededBy)) successors.add(item.supersededBy);
        }
      } else if (event.type === "turn.ended") {
        for (const { item, turnId } of open.values()) {
          if (turnId === event.data.turnId && item.background !== true) report(`${item.itemId} is open after its turn`);
        }
      } else if (event.type === "session.ended") {
        for (const itemId of open.keys()) report(`${itemId} is open after the life`);
      }
    },
    end() {
      if (!finished) return;
      for (const itemId of successors) report(`${itemId} takes the place of an item and never comes`);
      for (const { item } of open.values()) if (item.background !== true) report(`${item.itemId} is never completed`);
    },
  };
};

function startedItem(item: Item, { turnId, truncated }: UniversalEvent): OpenItem {
  return { item, turnId, deltas: new Map(), isTruncated: truncated !== undefined };
}

function addDelta(open: OpenItem | undefined, event: UniversalEvent & Body<"item.delta">, report: Report): void {
  if (!open) return;
  const { index, part, delta, itemId } = event.data;
  if (event.truncated) open.isTruncated = true;
  if (part === "output") return;
  const before = open.deltas.get(index);
  if (before && before.part !== part) report(`index ${index} of ${itemId} gets both ${before.part} and ${part}`);
  open.deltas.set(index, { part, text: (before?.text ?? "") + delta });
}

function checkCompletion(
  { item: started, deltas, isTruncated }: OpenItem,
  item: Item,
  { filtered, isCut }: { filtered: boolean; isCut: boolean },
  report: Report,
): void {
  const { itemId, kind, status, content } = item;
  if (status === "in_progress") report(`${itemId} is completed with status in_progress`);
  if (kind !== started.kind) report(`${itemId} was started as ${started.kind} and completed as ${kind}`);
  if (filtered || isTruncated || isCut) return;
  for (const [index, { part, text }] of deltas) {
    const fault = part === "input" ? inputFault(content[index], text, status) : textFault(content[index], part, text);
    if (fault) report(`${itemId}, index ${index}: ${fault}`);
  }
}

function textFault(content: Part | undefined, part: DeltaPart, text: string): string | undefined {
  if (content?.type !== part) return `the deltas are ${part}, the completed part is ${content?.type ?? "missing"}`;
  if (!("text" in content) || content.text === text) return undefined;
  return `the deltas add up to ${excerpt(text)}, the completed text is ${excerpt(content.text)}`;
}

/** A call that was cut short may have an input that was cut short. */
function inputFault(content: Part | undefined, text: string, status: Item["status"]): string | undefined {
  if (content?.type !== "tool_call") return `the deltas are input, the completed part is ${content?.type ?? "missing"}`;
  if (status !== "completed") return undefined;
  try {
    if (isDeepStrictEqual(JSON.parse(text), content.input)) return undefined;
    return `the deltas of the input say ${excerpt(text)}, the call has ${excerpt(JSON.stringify(content.input))}`;
  } catch {
    // The parser's words would only repeat the text.
    return `the deltas of the input are not JSON: ${excerpt(text)}`;
  }
}

function excerpt(text: string): string {
  return text.length <= 60 ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, 60))}… (${text.length})`;
}
