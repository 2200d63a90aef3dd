import { z } from "zod";
import { type EventBody, type EventType, eventData, eventTypes } from "./events/index.ts";
import { SessionId, Time } from "./ids.ts";

export const EventSource = z.enum(["agent", "daemon"]);
export type EventSource = z.infer<typeof EventSource>;

/** `(sessionId, sequence)` is the identity; `sequence` counts from 1 per session without holes and is the SSE id. */
export interface EventEnvelope {
  sequence: number;
  time: string;
  sessionId: string;
  /** Absent outside any turn; late events keep their item's. */
  turnId?: string;
  source: EventSource;
  truncated?: { field: string; bytes: number };
  raw?: unknown;
}
export type UniversalEvent = EventEnvelope & EventBody;

const eventOf = (type: EventType) =>
  z.object({
    sequence: z.int().positive(),
    time: Time,
    sessionId: SessionId,
    turnId: z.string().optional(),
    source: EventSource,
    type: z.literal(type),
    data: eventData[type],
    truncated: z.object({ field: z.string(), bytes: z.int().positive() }).optional(),
    raw: z.unknown().optional(),
  });

// The cast is the price of building the union from the table: the types above say the same thing by hand.
export const UniversalEvent = z.discriminatedUnion(
  "type",
  eventTypes.map(eventOf) as unknown as [ReturnType<typeof eventOf>],
) as unknown as z.ZodType<UniversalEvent>;
