import type { Message } from "@muster/codebuff-protocol";
import { isResults } from "./shorten-results.ts";

/** Where the newest messages begin that weigh at most `tokens` together, without parting a call from its result. */
export function tailStart(
  messages: readonly Message[],
  tokens: number,
  weigh: (messages: readonly Message[]) => number,
): number {
  let left = tokens;
  let start = messages.length;
  while (start > 0) {
    left -= weigh(messages.slice(start - 1, start));
    if (left < 0) break;
    start -= 1;
  }
  const boundaries = boundariesOf(messages);
  while (start < messages.length && !boundaries.has(start)) start += 1;
  return start;
}

/** The last place at or before `index` where a history may be cut. */
export function boundaryBefore(messages: readonly Message[], index: number): number {
  const boundaries = boundariesOf(messages);
  let place = index;
  while (place > 0 && !boundaries.has(place)) place -= 1;
  return place;
}

/** The first message with a call that has no result yet; the end when there is none. */
export function unfinishedStart(messages: readonly Message[]): number {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const first = messages.findIndex((message) => callIds(message).some((id) => !answered.has(id)));
  return first === -1 ? messages.length : first;
}

/** Places where every call before has its result before, and where no results of a call before begin. */
function boundariesOf(messages: readonly Message[]): Set<number> {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const open = new Set<string>();
  const boundaries = new Set([messages.length]);
  messages.forEach((message, index) => {
    if (open.size === 0 && !isResults(message)) boundaries.add(index);
    for (const id of callIds(message)) if (answered.has(id)) open.add(id);
    if (message.role === "tool") open.delete(message.toolCallId);
  });
  return boundaries;
}

function callIds(message: Message): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}
