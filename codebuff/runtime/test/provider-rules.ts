import type { Message } from "@muster/codebuff-protocol";

/**
 * What a strict provider would refuse about a request, written without the runtime's own check: calls are answered at
 * once, each by one result, ids are used once, no text is blank, nobody is silent, and the model does not speak last.
 */
export function providerRefusals(messages: readonly Message[]): string[] {
  const refusals: string[] = [];
  const ids = new Set<string>();
  let open: string[] = [];
  let isAnswering = false;
  messages.forEach((message, index) => {
    const at = `message ${index} (${message.role})`;
    if (message.role === "tool") {
      if (!open.includes(message.toolCallId)) refusals.push(`${at}: result nobody asked for`);
      open = open.filter((id) => id !== message.toolCallId);
      isAnswering = true;
      return;
    }
    if (open.length > 0 && (isAnswering || message.role !== "assistant"))
      refusals.push(`${at}: ${open.join()} not answered`);
    isAnswering = false;
    if (message.role === "system") {
      if (index > 0 || message.content.trim() === "") refusals.push(`${at}: system message in the middle or blank`);
      return;
    }
    if (message.content.length === 0) refusals.push(`${at}: no content`);
    for (const part of message.content) {
      if (part.type === "text" && part.text.trim() === "") refusals.push(`${at}: blank text`);
      if (part.type !== "tool-call") continue;
      if (ids.has(part.toolCallId)) refusals.push(`${at}: id ${part.toolCallId} used twice`);
      ids.add(part.toolCallId);
      open.push(part.toolCallId);
    }
  });
  if (open.length > 0) refusals.push(`${open.join()} never answered`);
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant" || last.role === "system") refusals.push("nobody has asked");
  return refusals;
}
