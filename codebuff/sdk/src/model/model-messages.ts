import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { Message, ToolMessage, ToolOutputPart } from "@muster/codebuff-protocol";
import { frameOutsideWords } from "./outside-words.ts";

type Assistant = Extract<LanguageModelV3Message, { role: "assistant" }>;
type Tool = Extract<LanguageModelV3Message, { role: "tool" }>;

/**
 * Our history, one part per message, as a provider takes it: the parts of one answer together, its results after it, media
 * of results as a user message. `cacheAt` marks stand on the last part of the message they name.
 */
export function modelMessages(messages: readonly Message[], cacheAt: readonly number[]): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  const marks = new Set(cacheAt);
  let media: LanguageModelV3FilePart[] = [];
  const flushMedia = () => {
    if (media.length > 0) prompt.push({ role: "user", content: media });
    media = [];
  };
  messages.forEach((message, index) => {
    if (message.role !== "tool") flushMedia();
    switch (message.role) {
      case "system":
        if (index === 0) prompt.push({ role: "system", content: message.content });
        // Providers refuse a system message in the middle.
        else prompt.push({ role: "user", content: [{ type: "text", text: `<system>${message.content}</system>` }] });
        break;
      case "user":
        prompt.push({ role: "user", content: message.content.map(userPart) });
        break;
      case "assistant":
        addAssistant(prompt, message);
        break;
      case "tool":
        media.push(...addResult(prompt, message));
        break;
    }
    if (marks.has(index)) markLast(prompt.at(-1));
  });
  flushMedia();
  return prompt;
}

type UserPart = Extract<Message, { role: "user" }>["content"][number];

function userPart(part: UserPart): { type: "text"; text: string } | LanguageModelV3FilePart {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "file", data: part.type === "image" ? part.image : part.data, mediaType: part.mediaType };
}

/** Thoughts are not sent back: without the provider's signature it refuses them. */
function addAssistant(prompt: LanguageModelV3Prompt, message: Extract<Message, { role: "assistant" }>): void {
  const content = message.content.flatMap((part): Assistant["content"] => {
    if (part.type === "reasoning" || (part.type === "text" && part.text === "")) return [];
    if (part.type === "text") return [{ type: "text", text: part.text }];
    const { toolCallId, toolName, input } = part;
    return [{ type: "tool-call", toolCallId, toolName, input }];
  });
  if (content.length === 0) return;
  const last = prompt.at(-1);
  if (last?.role === "assistant") last.content.push(...content);
  else prompt.push({ role: "assistant", content });
}

function addResult(prompt: LanguageModelV3Prompt, message: ToolMessage): LanguageModelV3FilePart[] {
  const { toolCallId, toolName, content } = message;
  const media = content.flatMap((part) =>
    part.type === "media" ? [{ type: "file" as const, data: part.data, mediaType: part.mediaType }] : [],
  );
  const result: Tool["content"][number] = {
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: "text", value: frameOutsideWords(resultText(content), { toolName, toolCallId }) },
  };
  const last = prompt.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else prompt.push({ role: "tool", content: [result] });
  return media;
}

function resultText(content: readonly ToolOutputPart[]): string {
  const values = content.flatMap((part) => (part.type === "json" ? [part.value] : []));
  if (values.length === 0) return content.length === 0 ? "" : "[The picture follows as a message]";
  const [value] = values;
  return JSON.stringify(values.length === 1 ? value : values);
}

/** On the part where the vendor reads it, and on the message for those that look there. */
function markLast(message: LanguageModelV3Message | undefined): void {
  if (message === undefined) return;
  const mark = {
    anthropic: { cacheControl: { type: "ephemeral" } },
    openaiCompatible: { cache_control: { type: "ephemeral" } },
  };
  const target = message.role === "system" ? message : message.content.at(-1);
  if (target !== undefined) target.providerOptions = mark;
}
