import { z } from "zod";
import { Cause } from "../cause.ts";
import { MessageId } from "../ids.ts";
import { AttachmentInfo, MessageStatus } from "../messages.ts";
import { TurnPlace } from "./time-machine.ts";
import { Usage } from "./usage.ts";
import { WireUsage } from "./wire-usage.ts";

export const TurnStatus = z
  .enum(["completed", "interrupted", "failed", "uncertain"])
  .describe("How a turn ended; uncertain: the daemon was killed and cannot know whether the agent finished");
export type TurnStatus = z.infer<typeof TurnStatus>;

/** Messages and the turns they start. */
export const turnEvents = {
  "message.updated": z
    .object({
      messageId: MessageId,
      status: MessageStatus,
      turnId: z.string().optional().describe("The turn it was given to"),
      // With `queued` it is what was sent, so that the log alone can give it to the agent after a restart.
      message: z.string().optional().describe("With queued: the text that was sent"),
      attachments: z.array(AttachmentInfo).optional().describe("With queued: the files that were sent with it"),
      delivery: z
        .enum(["queue", "steer"])
        .optional()
        .describe("With queued: for a turn of its own, or for the open one"),
      digest: z.string().optional().describe("With queued: by which the same message is known again"),
    })
    .describe("A message was accepted, given to the agent, taken back or failed"),
  "turn.started": z
    .object({
      turnId: z.string().describe("The turn's id, in all of its events"),
      messageIds: z.array(MessageId).describe("The messages it answers"),
      origin: z.enum(["user", "agent"]).describe("Who began it: a message, or the agent by itself"),
    })
    .describe("The agent begins to work on a message"),
  "turn.ended": z
    .object({
      turnId: z.string().describe("The turn that is over"),
      status: TurnStatus,
      cause: Cause.optional().describe("Why it did not complete, for programs"),
      message: z.string().optional().describe("Why it did not complete, in words"),
      usage: Usage.optional().describe("The tokens of the whole turn"),
      costUsd: z.number().nonnegative().optional().describe("What the turn cost, in US dollars"),
      wire: WireUsage.optional().describe("Its model requests as the gateway counted them"),
      durationMs: z.number().nonnegative().describe("How long it took, in milliseconds"),
      output: z.unknown().optional().describe("The answer as a value, where a JSON schema was asked for"),
      place: TurnPlace.optional(),
      workMayHaveContinued: z
        .boolean()
        .optional()
        .describe("true: the agent did not confirm the interrupt and may have gone on for a moment"),
    })
    .describe("A turn is over: how it ended, what it used and what it cost"),
} as const;
