import type { Fold, QueuedMessage } from "./fold.ts";
import { type StoredWire, storedWire, wireFrom } from "./wire-account.ts";

/** What is stored of a fold: the same as JSON. */
export type Checkpoint = {
  [Name in keyof Omit<Fold, "queue" | "wire">]: Fold[Name] extends Map<string, infer Value>
    ? Record<string, Value>
    : Fold[Name];
} & { queue: QueuedMessage[]; wire?: StoredWire };

/** One of a daemon that knew no rewinds does not say which turns there were: the log does. */
export function knowsTurns(checkpoint: Checkpoint): boolean {
  return checkpoint.turns !== undefined;
}

/** A copy: the fold goes on while it is written. */
export function checkpointOf(fold: Fold): Checkpoint {
  return structuredClone({
    ...fold,
    items: Object.fromEntries(fold.items),
    questions: Object.fromEntries(fold.questions),
    permissions: Object.fromEntries(fold.permissions),
    queue: [...fold.queue.values()],
    messages: Object.fromEntries(fold.messages),
    wire: storedWire(fold.wire),
  });
}

/** The fold that was stored. What is in it is still the checkpoint's own. */
export function foldOf(checkpoint: Checkpoint): Fold {
  return {
    ...checkpoint,
    lastUsedAt: checkpoint.lastUsedAt ?? checkpoint.updatedAt,
    turns: checkpoint.turns ?? [],
    items: new Map(Object.entries(checkpoint.items)),
    questions: new Map(Object.entries(checkpoint.questions)),
    permissions: new Map(Object.entries(checkpoint.permissions)),
    queue: new Map(checkpoint.queue.map((message) => [message.messageId, message])),
    messages: new Map(Object.entries(checkpoint.messages)),
    wire: wireFrom(checkpoint.wire),
  };
}
