import { z } from "zod";
import { SessionId } from "./ids.ts";

/**
 * What `useChat` of the AI SDK posts. It holds the whole chat and whatever else an application adds; the daemon has the
 * conversation itself, so only the last message is read and unknown fields are left alone.
 */
export const SendUi = z
  .looseObject({
    id: SessionId.describe("The chat is the session with this id"),
    messages: z
      .array(z.unknown())
      .min(1)
      .describe('Only the last is read: {"role":"user","parts":[{"type":"text","text":"Say hello"}]}'),
    trigger: z.string().optional().describe("submit-message; regenerate-message is refused: a log is never rewritten"),
    messageId: z.string().optional().describe("The message useChat changes; not needed here"),
    reply: z.enum(["once", "always"]).optional().describe("What an approval grants: once by default"),
  })
  .describe("What useChat of the AI SDK posts");
export type SendUi = z.infer<typeof SendUi>;

export const UiPart = z
  .looseObject({ type: z.string().describe("What kind of part it is, in the AI SDK's words") })
  .describe("One part of a message of the AI SDK; its further fields are the AI SDK's");

export const UiMessage = z
  .looseObject({
    id: z.string().optional().describe("The message's id"),
    role: z.enum(["user", "assistant", "system"]).describe("Who speaks"),
    parts: z.array(UiPart).describe("What it says, part by part"),
  })
  .describe("A message of the AI SDK, as far as it is read");
export type UiMessage = z.infer<typeof UiMessage>;

export const UiChunk = z
  .looseObject({ type: z.string().describe("What kind of chunk it is, in the AI SDK's words") })
  .describe("One chunk of the AI SDK's UI message stream; its further fields are the AI SDK's");
export type UiChunk = z.infer<typeof UiChunk>;

export const ChatMessage = UiMessage.extend({ id: z.string().describe("The message's id") }).describe(
  "A message of the AI SDK; its parts are what the chunks of the stream would have made",
);
export type ChatMessage = z.infer<typeof ChatMessage>;

export const UiHistory = z
  .object({
    messages: z.array(ChatMessage).describe("The conversation for `useChat({ messages })`, oldest first"),
  })
  .describe("A session's past as the AI SDK's chat takes it");
export type UiHistory = z.infer<typeof UiHistory>;
