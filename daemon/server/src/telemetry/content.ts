import type { Item } from "@muster/schema";

/** Messages in the JSON that the conventions want of them on a span. */
export function inputMessages(text: string): string {
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content: text }] }]);
}

export function outputMessages(texts: readonly string[], finishReason: string): string {
  const parts = texts.map((content) => ({ type: "text", content }));
  return JSON.stringify([{ role: "assistant", parts, finish_reason: finishReason }]);
}

export function textOf({ content }: Item): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

interface ToolCall {
  readonly name: string;
  readonly callId: string;
  readonly toolKind: string;
  readonly input?: unknown;
}

/** What a tool is called with; an item of an agent that says nothing of it has at least its own id. */
export function toolCallOf({ itemId, content }: Item): ToolCall {
  const part = content.find(({ type }) => type === "tool_call");
  return part?.type === "tool_call" ? part : { name: "unknown", callId: itemId, toolKind: "other" };
}
