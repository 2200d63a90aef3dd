import { z } from "zod";

/** Chosen by the client; also the name of its folder after encoding, so the alphabet is small. */
export const SessionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, "must match ^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$");
export type SessionId = z.infer<typeof SessionId>;

/** Chosen by the client or made by the daemon; makes sending the same message twice harmless. */
export const MessageId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/, "must be 1 to 128 plain characters");
export type MessageId = z.infer<typeof MessageId>;

/** RFC 3339 in UTC with milliseconds. */
export const Time = z.iso.datetime();
export type Time = z.infer<typeof Time>;
