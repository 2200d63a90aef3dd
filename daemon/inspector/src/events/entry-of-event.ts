import type { UniversalEvent } from "@muster/schema";
import type { SessionFold } from "../model/session-fold.ts";

/** The entry of the chat an event belongs to; undefined where it shows nothing there. */
export function entryKeyOf(event: UniversalEvent, { entries }: SessionFold): string | undefined {
  const key = wantedKey(event);
  if (key !== undefined && entries.get(key) !== undefined) return key;
  // A result stands with its call, which is the last entry before it that has taken it.
  return entries.rows().find(({ entry }) => entry.kind === "item" && entry.view.resultSequence === event.sequence)
    ?.entry.key;
}

function wantedKey(event: UniversalEvent): string | undefined {
  switch (event.type) {
    case "item.started":
    case "item.completed":
      return `i${event.data.item.itemId}`;
    case "item.delta":
      return `i${event.data.itemId}`;
    case "turn.ended":
      return `t${event.data.turnId}`;
    case "question.requested":
    case "question.resolved":
      return `r${event.data.questionId}`;
    case "permission.requested":
    case "permission.resolved":
      return `r${event.data.permissionId}`;
    case "message.updated":
      return `m${event.sequence}`;
    default:
      return `n${event.sequence}`;
  }
}
