import { z } from "zod";
import { messageIdForm, sessionIdForm } from "./id-forms.ts";

export const SessionId = z
  .string()
  .regex(sessionIdForm, `must match ${sessionIdForm.source}`)
  .describe("The session's id: your own, or one the daemon made");
export type SessionId = z.infer<typeof SessionId>;

export const MessageId = z
  .string()
  .regex(messageIdForm, "must be 1 to 128 plain characters")
  .describe("The message's id: your own, or one the daemon made");
export type MessageId = z.infer<typeof MessageId>;

/** RFC 3339 in UTC with milliseconds. */
export const Time = z.iso.datetime();
export type Time = z.infer<typeof Time>;
