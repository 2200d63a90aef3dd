import { z } from "zod";
import { SessionId } from "./ids.ts";

/**
 * What `useChat` of the AI SDK posts. It holds the whole chat and whatever else an application adds; the daemon has the
 * conversation itself, so only the last message is read and unknown fields are left alone.
 */
export const SendUi = z.looseObject({
  id: SessionId.describe("The chat is the session with this id"),
  messages: z
    .array(z.unknown())
    .min(1)
    .describe('Only the last is read: {"role":"user","parts":[{"type":"text","text":"Say hello"}]}'),
  trigger: z.string().optional().describe("submit-message; regenerate-message is refused: a log is never rewritten"),
  messageId: z.string().optional().describe("The message useChat changes; not needed here"),
  reply: z.enum(["once", "always"]).optional().describe("What an approval grants: once by default"),
});
export type SendUi = z.infer<typeof SendUi>;

/** A message of the AI SDK, as far as it is read. */
export const UiMessage = z.looseObject({
  id: z.string().optional(),
  role: z.enum(["user", "assistant", "system"]),
  parts: z.array(z.looseObject({ type: z.string() })),
});
export type UiMessage = z.infer<typeof UiMessage>;

/** One chunk of the AI SDK's UI message stream. */
export const UiChunk = z.looseObject({ type: z.string() });
export type UiChunk = z.infer<typeof UiChunk>;
