import type { AgentOutput, Message } from "@muster/codebuff-protocol";
import type { AgentRun } from "./agent-run.ts";

/** What an agent that ended by itself gives back, by its output mode. */
export function outputOf({ agent, memory, history }: AgentRun): AgentOutput {
  switch (agent.definition.outputMode) {
    case "structured_output":
      return { type: "structuredOutput", value: memory.output ?? null };
    case "all_messages":
      return { type: "allMessages", value: history.messages.slice(1) };
    case "last_message":
      return { type: "lastMessage", value: lastMessages(history.messages) };
  }
}

/** The last run of assistant messages with the results of their calls; notes of the loop after them do not count. */
function lastMessages(messages: readonly Message[]): Message[] {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  if (last === -1) return [];
  let first = last;
  while (messages[first - 1]?.role === "assistant") first--;
  let end = last + 1;
  while (messages[end]?.role === "tool") end++;
  return messages.slice(first, end);
}
