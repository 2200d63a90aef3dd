import { z } from "zod";
import { MessageId, Time } from "./ids.ts";
import { Part } from "./parts.ts";

/** queued → given | joined | cancelled | failed; every accepted message reaches one of the last four. */
export const MessageStatus = z
  .enum(["queued", "given", "joined", "cancelled", "failed"])
  .describe(
    "queued: accepted; given: its turn has begun; joined: it went into the open turn; cancelled; failed: never given",
  );
export type MessageStatus = z.infer<typeof MessageStatus>;

export const Attachment = z
  .strictObject({
    path: z.string().optional().describe("A file on the daemon's machine"),
    data: z.base64().optional().describe("The content itself, base64"),
    mime: z.string().describe("Its media type, such as image/png"),
    filename: z.string().optional().describe("Its name, for the agent"),
  })
  .refine((attachment) => (attachment.path === undefined) !== (attachment.data === undefined), {
    error: "give either path or data",
  })
  .describe("A file for the agent: by its path on the daemon's machine, or with its content");
export type Attachment = z.infer<typeof Attachment>;

/** An attachment as the log knows it: content that came with the request lies in a file of the session. */
export const AttachmentInfo = z
  .object({
    path: z.string().describe("Where the file lies on the daemon's machine"),
    mime: z.string().describe("Its media type"),
    filename: z.string().optional().describe("Its name"),
  })
  .describe("An attached file as the log knows it");
export type AttachmentInfo = z.infer<typeof AttachmentInfo>;

export const Delivery = z
  .enum(["queue", "steer", "reject"])
  .describe("queue (default): after the open turn; steer: into the open turn; reject: refused when a turn is open");

export const SendMessage = z
  .object({
    message: z.string().min(1).describe("What the agent is told"),
    attachments: z
      .array(Attachment)
      .max(32)
      .optional()
      .describe(
        'A file: {"path":"/on/the/daemon.png","mime":"image/png"}, or its content: {"data":"<base64>","mime":…}',
      ),
    messageId: MessageId.optional().describe("Makes a retry harmless: the same message with the same id is given once"),
    delivery: Delivery.optional(),
  })
  .describe("A message to the agent");
export type SendMessage = z.infer<typeof SendMessage>;

export const SentMessage = z
  .object({
    messageId: MessageId,
    sequence: z.int().positive().describe("The number of the event that says it was accepted: read on from here"),
  })
  .describe("A message that is safe on the daemon's disk");
export type SentMessage = z.infer<typeof SentMessage>;

const common = {
  messageId: z.string().describe("The message's id"),
  turnId: z.string().optional().describe("The turn it belongs to"),
  createdAt: Time.describe("When it was written, in UTC"),
  rewound: z.boolean().optional().describe("true: the session was rewound to before it; the agent does not know of it"),
};

export const ConversationMessage = z
  .object({
    role: z.enum(["user", "assistant", "system", "tool"]).describe("Who speaks"),
    ...common,
    status: z.enum(["queued", "in_progress", "completed", "failed", "cancelled"]).describe("How far it is"),
    parts: z.array(Part).describe("What it says, piece by piece"),
  })
  .describe("What a person, a model or a tool said");

export const UnparsedMessage = z
  .object({
    role: z.literal("unparsed").describe("Something of the agent that this daemon cannot read"),
    ...common,
    raw: z.unknown().describe("It as the agent wrote it"),
    error: z.string().describe("Why it could not be read"),
  })
  .describe("Something the agent said that this daemon cannot read");

/** What a person or a model wrote, folded from the log; what could not be parsed is a message of its own. */
export const UniversalMessage = z
  .discriminatedUnion("role", [ConversationMessage, UnparsedMessage])
  .describe("One message of the conversation; role says who speaks");
export type UniversalMessage = z.infer<typeof UniversalMessage>;
