import type { PlanEntry } from "@muster/schema";

const statuses = ["pending", "in_progress", "completed", "cancelled"] as const;
const priorities = ["high", "medium", "low"] as const;

/** OpenCode does not check what the model wrote; a word it does not know is a thing to be done. */
export function planEntries(
  todos: readonly { content: string; status: string; priority?: string | undefined }[],
): PlanEntry[] {
  return todos.map(({ content, status, priority }) => ({
    content,
    status: statuses.find((known) => known === status) ?? "pending",
    priority: priorities.find((known) => known === priority),
  }));
}
