import { z } from "zod";
import { Cause } from "../cause.ts";
import { MessageId } from "../ids.ts";
import { AttachmentInfo, MessageStatus } from "../messages.ts";
import { Usage } from "./usage.ts";

export const TurnStatus = z.enum(["completed", "interrupted", "failed", "uncertain"]);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** Messages and the turns they start. */
export const turnEvents = {
  "message.updated": z.object({
    messageId: MessageId,
    status: MessageStatus,
    turnId: z.string().optional(),
    /** With `queued`: what was sent, so that the log alone can give it to the agent after a restart. */
    message: z.string().optional(),
    attachments: z.array(AttachmentInfo).optional(),
    delivery: z.enum(["queue", "steer"]).optional(),
    digest: z.string().optional(),
  }),
  "turn.started": z.object({ turnId: z.string(), messageIds: z.array(MessageId), origin: z.enum(["user", "agent"]) }),
  "turn.ended": z.object({
    turnId: z.string(),
    status: TurnStatus,
    cause: Cause.optional(),
    message: z.string().optional(),
    usage: Usage.optional(),
    costUsd: z.number().nonnegative().optional(),
    durationMs: z.number().nonnegative(),
    output: z.unknown().optional(),
    workMayHaveContinued: z.boolean().optional(),
  }),
} as const;
