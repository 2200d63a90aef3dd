import { z } from "zod";
import { ToolOutputPart } from "./tool-output.ts";

export const TextPart = z.object({ type: z.literal("text"), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

/** `image` is base64. */
export const ImagePart = z.object({ type: z.literal("image"), image: z.string(), mediaType: z.string() });
export type ImagePart = z.infer<typeof ImagePart>;

const FilePart = z.object({ type: z.literal("file"), data: z.string(), mediaType: z.string() });

const ReasoningPart = z.object({ type: z.literal("reasoning"), text: z.string() });

export const ToolCallPart = z.object({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.record(z.string(), z.json()),
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

/**
 * What every message may carry. `timeToLive` says when it is dropped by itself; of the messages that share a tag in
 * `keepLastTags` only the newest stays.
 */
const marks = {
  tags: z.array(z.string()).optional(),
  sentAt: z.number().optional(),
  timeToLive: z.enum(["agentStep", "userPrompt"]).optional(),
  keepDuringTruncation: z.boolean().optional(),
  keepLastTags: z.array(z.string()).optional(),
  providerOptions: z.record(z.string(), z.json()).optional(),
};

const SystemMessage = z.object({ role: z.literal("system"), content: z.string(), ...marks });

export const UserMessage = z.object({
  role: z.literal("user"),
  content: z.array(z.discriminatedUnion("type", [TextPart, ImagePart, FilePart])),
  ...marks,
});
export type UserMessage = z.infer<typeof UserMessage>;

/** One message per part: a text, a thought, or one call. */
export const AssistantMessage = z.object({
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [TextPart, ReasoningPart, ToolCallPart])),
  ...marks,
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const ToolMessage = z.object({
  role: z.literal("tool"),
  toolName: z.string(),
  toolCallId: z.string(),
  content: z.array(ToolOutputPart),
  ...marks,
});
export type ToolMessage = z.infer<typeof ToolMessage>;

export const Message = z.discriminatedUnion("role", [SystemMessage, UserMessage, AssistantMessage, ToolMessage]);
export type Message = z.infer<typeof Message>;
