import { z } from "zod";
import { MessageId, Time } from "./ids.ts";
import { Part } from "./parts.ts";

/** queued → given | joined | cancelled | failed; every accepted message reaches one of the last four. */
export const MessageStatus = z.enum(["queued", "given", "joined", "cancelled", "failed"]);
export type MessageStatus = z.infer<typeof MessageStatus>;

export const Attachment = z
  .strictObject({
    path: z.string().optional().describe("A file on the daemon's machine"),
    data: z.base64().optional().describe("The content itself, base64"),
    mime: z.string(),
    filename: z.string().optional(),
  })
  .refine((attachment) => (attachment.path === undefined) !== (attachment.data === undefined), {
    error: "give either path or data",
  });
export type Attachment = z.infer<typeof Attachment>;

/** An attachment as the log knows it: content that came with the request lies in a file of the session. */
export const AttachmentInfo = z.object({ path: z.string(), mime: z.string(), filename: z.string().optional() });
export type AttachmentInfo = z.infer<typeof AttachmentInfo>;

export const SendMessage = z.object({
  message: z.string().min(1).describe("What the agent is told"),
  attachments: z
    .array(Attachment)
    .max(32)
    .optional()
    .describe('A file: {"path":"/on/the/daemon.png","mime":"image/png"}, or its content: {"data":"<base64>","mime":…}'),
  messageId: MessageId.optional().describe("Makes a retry harmless: the same message with the same id is given once"),
  delivery: z
    .enum(["queue", "steer", "reject"])
    .optional()
    .describe("queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open"),
});
export type SendMessage = z.infer<typeof SendMessage>;

export const SentMessage = z.object({ messageId: MessageId, sequence: z.int().positive() });
export type SentMessage = z.infer<typeof SentMessage>;

/** What a person or a model wrote, folded from the log; what could not be parsed is a message of its own. */
export const UniversalMessage = z.discriminatedUnion("role", [
  z.object({
    role: z.enum(["user", "assistant", "system", "tool"]),
    messageId: z.string(),
    turnId: z.string().optional(),
    status: z.enum(["queued", "in_progress", "completed", "failed", "cancelled"]),
    parts: z.array(Part),
    createdAt: Time,
  }),
  z.object({
    role: z.literal("unparsed"),
    messageId: z.string(),
    turnId: z.string().optional(),
    raw: z.unknown(),
    error: z.string(),
    createdAt: Time,
  }),
]);
export type UniversalMessage = z.infer<typeof UniversalMessage>;
