import type { Message } from "./history.ts";

export interface HistoryFault {
  readonly code:
    | "call_without_result"
    | "result_without_call"
    | "second_result"
    | "repeated_call_id"
    | "repeated_tag"
    /** Something stands between calls and their results. */
    | "results_apart"
    | "blank_message";
  readonly index: number;
  readonly subject: string;
}

/**
 * What would make a provider refuse this history: each call needs exactly one result, right after the calls it was made
 * with, nobody may say nothing, and a kept tag has one message.
 */
export function historyFaults(messages: readonly Message[]): HistoryFault[] {
  const faults: HistoryFault[] = [];
  const open = new Map<string, number>();
  const answered = new Set<string>();
  const tags = new Set<string>();
  let isAnswering = false;
  messages.forEach((message, index) => {
    const isApart = message.role !== "tool" && open.size > 0 && (isAnswering || message.role !== "assistant");
    if (isApart) faults.push({ code: "results_apart", index, subject: [...open.keys()].join() });
    isAnswering = message.role === "tool";
    if (isBlank(message)) faults.push({ code: "blank_message", index, subject: message.role });
    for (const tag of message.keepLastTags ?? []) {
      if (tags.has(tag)) faults.push({ code: "repeated_tag", index, subject: tag });
      tags.add(tag);
    }
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type !== "tool-call") continue;
        const known = open.has(part.toolCallId) || answered.has(part.toolCallId);
        if (known) faults.push({ code: "repeated_call_id", index, subject: part.toolCallId });
        else open.set(part.toolCallId, index);
      }
    }
    if (message.role === "tool") {
      const id = message.toolCallId;
      if (open.delete(id)) answered.add(id);
      else faults.push({ code: answered.has(id) ? "second_result" : "result_without_call", index, subject: id });
    }
  });
  for (const [id, index] of open) faults.push({ code: "call_without_result", index, subject: id });
  return faults;
}

/** Says nothing a provider would take: no part at all, or a text of white space. */
export function isBlank(message: Message): boolean {
  if (message.role === "tool") return false;
  if (message.role === "system") return message.content.trim() === "";
  if (message.content.length === 0) return true;
  return message.content.some((part) => part.type === "text" && part.text.trim() === "");
}
