import type { Message, StepReply, ToolOutput } from "@muster/codebuff-protocol";

/** What the model said in the messages that came after the first `from`. */
export function textSince({ agentState }: StepReply, from: number): string {
  return agentState.messageHistory
    .slice(from)
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n")
    .replace(/<think>[\s\S]*?<\/think>/g, "")
    .trim();
}

export interface MadeCall {
  readonly toolName: string;
  readonly input: Record<string, Json>;
  readonly output: ToolOutput;
}

export type Json = Extract<ToolOutput[number], { type: "json" }>["value"];

/** The calls in the messages after the first `from`, with their results. */
export function callsSince({ agentState }: StepReply, from: number): MadeCall[] {
  const messages = agentState.messageHistory.slice(from);
  const outputs = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message.content]] : [])),
  );
  return messages.flatMap((message: Message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part) =>
      part.type === "tool-call"
        ? [{ toolName: part.toolName, input: part.input, output: outputs.get(part.toolCallId) ?? [] }]
        : [],
    );
  });
}

export function firstValue(output: ToolOutput | undefined): Json | undefined {
  return output?.find((part) => part.type === "json")?.value;
}

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
