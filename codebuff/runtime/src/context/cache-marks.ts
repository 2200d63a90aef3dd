import type { Message } from "@muster/codebuff-protocol";

/**
 * Indices of the messages of a request after which a cache mark stands: the system prompt and at most four others.
 * Pure; the system prompt is message 0 and the step reminder, if there is one, the last.
 */
export function cacheMarks(messages: readonly Message[]): number[] {
  const last = messages.length - 1;
  const reminder = messages[last]?.timeToLive === "agentStep" ? last : messages.length;
  const lastAssistant = messages.findLastIndex((message) => message.role === "assistant");
  const lastPrompt = messages.findLastIndex((message) => message.tags?.includes("USER_PROMPT"));
  const places = [lastAssistant - 1, lastPrompt - 1, reminder - 1, last].filter((place) => place > 0);
  const system = messages[0]?.role === "system" ? [0] : [];
  return [...new Set([...system, ...places])].sort((one, other) => one - other);
}
