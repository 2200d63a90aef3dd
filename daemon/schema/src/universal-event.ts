import { z } from "zod";
import { type EventBody, type EventType, eventData, eventTypes } from "./events/index.ts";
import { SessionId, Time } from "./ids.ts";

export const EventSource = z.enum(["agent", "daemon"]).describe("Who says so: the agent, or the daemon itself");
export type EventSource = z.infer<typeof EventSource>;

export const Truncated = z
  .object({
    field: z.string().describe("Which field was cut"),
    bytes: z.int().positive().describe("How long it was before"),
  })
  .describe("A text of the event was too long and was cut");
type Truncated = z.infer<typeof Truncated>;

/** `(sessionId, sequence)` is the identity; `sequence` counts from 1 per session without holes and is the SSE id. */
export interface EventEnvelope {
  sequence: number;
  time: string;
  sessionId: string;
  /** Absent outside any turn; late events keep their item's. */
  turnId?: string;
  source: EventSource;
  truncated?: Truncated;
  raw?: unknown;
}
export type UniversalEvent = EventEnvelope & EventBody;

const eventOf = (type: EventType) =>
  z
    .object({
      sequence: z
        .int()
        .positive()
        .describe("The event's number, from 1 in each session without holes; also the SSE id"),
      time: Time.describe("When it was written, in UTC"),
      sessionId: SessionId.describe("The session it happened in"),
      turnId: z.string().optional().describe("The turn it belongs to; absent outside any turn"),
      source: EventSource,
      type: z.literal(type).describe("What happened; it says what data holds"),
      data: eventData[type],
      truncated: Truncated.optional().describe("Present where a text was too long for an event and was cut"),
      raw: z.unknown().optional().describe("The agent's own message, with raw=true"),
    })
    .describe(eventData[type].description ?? type);

/** Each type of event with its envelope. */
export const eventSchemas = Object.fromEntries(eventTypes.map((type) => [type, eventOf(type)])) as Record<
  EventType,
  ReturnType<typeof eventOf>
>;

// The cast is the price of building the union from the table: the types above say the same thing by hand.
export const UniversalEvent = z
  .discriminatedUnion("type", Object.values(eventSchemas) as unknown as [ReturnType<typeof eventOf>])
  .describe(
    "One numbered fact of a session, never changed; type says what data holds",
  ) as unknown as z.ZodType<UniversalEvent>;
