import { AttachmentInfo, PermissionMode } from "@muster/schema";
import { z } from "zod";

const text = z.string();
const message = { messageId: text, text, attachments: z.array(AttachmentInfo).readonly() };

/** On a no: it is part of an interrupt, which follows. An agent that can is to stop at once, and not ask its model again. */
const stops = z.literal(true).optional();

/** What the engine tells an agent. All of it passes the converter, so a recorded life replays. */
export const Command = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), ...message }),
  /** Like `message`, into the open turn; `message.joined` tells that it arrived. */
  z.object({ type: z.literal("steer"), ...message }),
  /** `allow` is always for this once; what `always` means is the engine's business. */
  z.object({
    type: z.literal("permission"),
    requestKey: text,
    decision: z.enum(["allow", "reject"]),
    message: text.optional(),
    stops,
  }),
  /** No answers means the person declined. */
  z.object({
    type: z.literal("question"),
    requestKey: text,
    answers: z.array(z.array(text).readonly()).readonly().optional(),
    message: text.optional(),
    editedText: text.optional(),
    stops,
  }),
  z.object({ type: z.literal("interrupt") }),
  z.object({
    type: z.literal("update"),
    model: text.optional(),
    agentMode: text.optional(),
    variant: text.optional(),
    permissionMode: PermissionMode.optional(),
  }),
]);
export type Command = z.infer<typeof Command>;
