import { errorOutput, isBlank, type Message, type ToolCallPart, type ToolMessage } from "@muster/codebuff-protocol";

/**
 * A history that was cut off in the middle of a step, made whole: every call is followed by its result, an
 * "interrupted" one where none was written; results nobody asked for and messages that say nothing are gone. A whole history comes back as it is.
 */
export function mendHistory(messages: readonly Message[]): readonly Message[] {
  const mended: Message[] = [];
  let open: ToolCallPart[] = [];
  let results: ToolMessage[] = [];
  const seen = new Set<string>();
  const close = () => {
    for (const call of open) {
      mended.push(results.find(({ toolCallId }) => toolCallId === call.toolCallId) ?? interruptedResult(call));
    }
    open = [];
    results = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.some(({ toolCallId }) => toolCallId === message.toolCallId)) results.push(message);
      continue;
    }
    const calls = message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : [];
    if (isBlank(message)) continue;
    if (message.role !== "assistant" || results.length > 0) close();
    if (calls.some(({ toolCallId }) => seen.has(toolCallId))) continue;
    for (const { toolCallId } of calls) seen.add(toolCallId);
    open.push(...calls);
    mended.push(message);
  }
  close();
  return isSame(mended, messages) ? messages : mended;
}

function interruptedResult({ toolCallId, toolName }: ToolCallPart): ToolMessage {
  return { role: "tool", toolCallId, toolName, content: errorOutput("Interrupted before there was a result") };
}

function isSame(one: readonly Message[], other: readonly Message[]): boolean {
  return one.length === other.length && one.every((message, index) => message === other[index]);
}
