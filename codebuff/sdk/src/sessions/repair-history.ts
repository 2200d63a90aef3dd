import type { Message, ToolCall, ToolMessage } from "@muster/codebuff-protocol";

/** What the model reads in place of a result that a crash took. */
const interruptedMessage =
  "Interrupted: the process ended before this call returned. It may have had effects; look before doing it again.";

/**
 * A history a provider accepts: every call has a result, right after its step. `begun` are calls that were journaled before they started; those
 * whose step never reached the history are told to the model as well, so that nothing is done twice unknowingly.
 */
export function repairHistory(messages: readonly Message[], begun: readonly ToolCall[] = []): Message[] {
  const repaired: Message[] = [];
  const open = new Map<string, string>();
  const known = new Set<string>();
  const closeOpen = () => {
    for (const [id, name] of open) repaired.push(interruptedResult(id, name));
    open.clear();
  };
  for (const message of messages) {
    const isNextStep = message.role === "assistant" && repaired.at(-1)?.role === "tool";
    if (isNextStep || message.role === "user" || message.role === "system") closeOpen();
    if (message.role === "tool") {
      if (!open.delete(message.toolCallId)) continue;
    }
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type !== "tool-call") continue;
        open.set(part.toolCallId, part.toolName);
        known.add(part.toolCallId);
      }
    }
    repaired.push(message);
  }
  closeOpen();
  for (const { toolCallId, toolName, input } of begun) {
    if (known.has(toolCallId)) continue;
    repaired.push({ role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] });
    open.set(toolCallId, toolName);
  }
  closeOpen();
  return repaired;
}

function interruptedResult(toolCallId: string, toolName: string): ToolMessage {
  return {
    role: "tool",
    toolCallId,
    toolName,
    content: [{ type: "json", value: { errorMessage: interruptedMessage } }],
  };
}
