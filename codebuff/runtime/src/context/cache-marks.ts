import type { Message } from "@muster/codebuff-protocol";

/**
 * Indices of the messages of a request after which a cache mark stands: the system prompt and at most four others.
 * Pure; the system prompt is message 0 and the step reminder, if there is one, the last.
 */
export function cacheMarks(messages: readonly Message[]): number[] {
  return messages.length === 0 ? [] : [...new Set([0, messages.length - 1])];
}
