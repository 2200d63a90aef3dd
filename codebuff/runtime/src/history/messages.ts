import type {
  AssistantMessage,
  MediaPart,
  Message,
  ToolCall,
  ToolOutput,
  UserMessage,
} from "@muster/codebuff-protocol";
import type { Content } from "../ports.ts";

/** What a person said, with its images, and the parameters that came with it. */
export function userPrompt(content: Content, params: Record<string, unknown> | undefined, sentAt: number): UserMessage {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const images = content.filter((part) => part.type === "image");
  const wrapped = text === "" ? [] : [`<user_message>${text}</user_message>`];
  const appended = params === undefined ? [] : [JSON.stringify(params, null, 2)];
  const texts = [...wrapped, ...appended].join("\n\n");
  return {
    role: "user",
    content: [...(texts === "" ? [] : [{ type: "text" as const, text: texts }]), ...images],
    tags: ["USER_PROMPT"],
    sentAt,
    keepDuringTruncation: true,
  };
}

export function instructions(text: string, sentAt: number): UserMessage {
  const tags = ["INSTRUCTIONS_PROMPT"];
  return { role: "user", content: [{ type: "text", text }], tags, keepLastTags: [...tags], sentAt };
}

/** The reminder before a model call. It is sent, never stored. */
export function stepReminder(text: string): UserMessage {
  return {
    role: "user",
    content: [{ type: "text", text: `<system_reminder>${text}</system_reminder>` }],
    tags: ["STEP_PROMPT"],
    timeToLive: "agentStep",
  };
}

/** Something the loop itself tells the model. */
export function note(text: string, sentAt: number, timeToLive?: "userPrompt"): UserMessage {
  return { role: "user", content: [{ type: "text", text: `<system>${text}</system>` }], sentAt, timeToLive };
}

export function assistantText(text: string, sentAt: number): AssistantMessage {
  return { role: "assistant", content: [{ type: "text", text }], sentAt };
}

export interface AnsweredCall {
  readonly call: ToolCall;
  readonly output: ToolOutput;
}

/** The calls of a step and then their results; images in results follow as what a user shows. */
export function callsAndResults(answered: readonly AnsweredCall[], sentAt: number): Message[] {
  const calls = answered.map(({ call: { toolCallId, toolName, input } }): Message => {
    return { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }], sentAt };
  });
  const results = answered.map(({ call: { toolCallId, toolName }, output }): Message => {
    const json = output.filter((part) => part.type === "json");
    return { role: "tool", toolCallId, toolName, content: json.length > 0 ? json : followsBelow };
  });
  const media = answered.flatMap(({ output }) => output.filter((part) => part.type === "media"));
  return [...calls, ...results, ...(media.length === 0 ? [] : [mediaMessage(media, sentAt)])];
}

const followsBelow = [{ type: "json" as const, value: { message: "The result follows as a file" } }];

function mediaMessage(media: readonly MediaPart[], sentAt: number): UserMessage {
  const content = media.map(({ data, mediaType }) => ({ type: "file" as const, data, mediaType }));
  return { role: "user", content, sentAt };
}
