import type { Fold } from "./fold.ts";

/** What is stored of a fold: the same as JSON. */
export interface Checkpoint extends Omit<Fold, "items" | "questions" | "permissions" | "queue" | "messages"> {
  items: Entries<"items">;
  questions: Entries<"questions">;
  permissions: Entries<"permissions">;
  queue: ValueOf<"queue">[];
  messages: Entries<"messages">;
}

type ValueOf<Name extends keyof Fold> = Fold[Name] extends Map<string, infer Value> ? Value : never;
type Entries<Name extends keyof Fold> = Record<string, ValueOf<Name>>;

/** A copy: the fold goes on while it is written. */
export function checkpointOf(fold: Fold): Checkpoint {
  return structuredClone({
    ...fold,
    items: Object.fromEntries(fold.items),
    questions: Object.fromEntries(fold.questions),
    permissions: Object.fromEntries(fold.permissions),
    queue: [...fold.queue.values()],
    messages: Object.fromEntries(fold.messages),
  });
}

/** The fold that was stored. What is in it is still the checkpoint's own. */
export function foldOf(checkpoint: Checkpoint): Fold {
  return {
    ...checkpoint,
    items: mapOf(checkpoint.items),
    questions: mapOf(checkpoint.questions),
    permissions: mapOf(checkpoint.permissions),
    queue: new Map(checkpoint.queue.map((message) => [message.messageId, message])),
    messages: mapOf(checkpoint.messages),
  };
}

function mapOf<Value>(entries: Record<string, Value>): Map<string, Value> {
  return new Map(Object.entries(entries));
}
