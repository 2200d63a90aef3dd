import { z } from "zod";
import { Cause } from "./cause.ts";
import { MessageId, SessionId, Time } from "./ids.ts";
import { Item } from "./item.ts";
import { AttachmentInfo, MessageStatus } from "./messages.ts";
import { PermissionRequested, PermissionResolved, QuestionRequested, QuestionResolved } from "./requests.ts";
import { AgentState, PermissionMode } from "./session.ts";

export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  contextTokens: z.int().nonnegative().optional(),
  contextWindow: z.int().positive().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const StderrExcerpt = z.object({
  head: z.string(),
  tail: z.string(),
  truncated: z.boolean(),
  totalLines: z.int().nonnegative(),
});
export type StderrExcerpt = z.infer<typeof StderrExcerpt>;

const Metadata = z.record(z.string(), z.unknown());

export const PlanEntry = z.object({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  priority: z.enum(["high", "medium", "low"]).optional(),
});
export type PlanEntry = z.infer<typeof PlanEntry>;

export const TurnStatus = z.enum(["completed", "interrupted", "failed", "uncertain"]);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** type → data. Adding an event means adding a line here; the union, the docs and the clients follow. */
export const eventData = {
  "session.started": z.object({
    agent: z.string(),
    agentVersion: z.string().optional(),
    nativeSessionId: z.string().optional(),
    model: z.string().optional(),
    agentMode: z.string().optional(),
    variant: z.string().optional(),
    permissionMode: PermissionMode,
    directory: z.string(),
    resumed: z.boolean(),
    contextLost: z.boolean().optional(),
    metadata: Metadata.optional(),
  }),
  "session.updated": z.object({
    model: z.string().optional(),
    agentMode: z.string().optional(),
    variant: z.string().optional(),
    permissionMode: PermissionMode.optional(),
    title: z.string().optional(),
    nativeSessionId: z.string().optional(),
    agentVersion: z.string().optional(),
    commands: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
    agentState: AgentState.optional(),
    contextLost: z.boolean().optional(),
  }),
  "session.ended": z.object({
    reason: z.enum(["completed", "error", "terminated"]),
    terminatedBy: z.enum(["agent", "daemon", "client"]),
    message: z.string().optional(),
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    stderr: StderrExcerpt.optional(),
    metadata: Metadata.optional(),
  }),
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
  "item.started": z.object({ item: Item }),
  "item.delta": z.object({
    itemId: z.string(),
    index: z.int().nonnegative(),
    part: z.enum(["text", "reasoning", "input", "output"]),
    delta: z.string(),
  }),
  "item.completed": z.object({ item: Item }),
  "question.requested": QuestionRequested,
  "question.resolved": QuestionResolved,
  "permission.requested": PermissionRequested,
  "permission.resolved": PermissionResolved,
  "plan.updated": z.object({ entries: z.array(PlanEntry) }),
  "usage.updated": Usage.extend({ costUsd: z.number().nonnegative().optional() }),
  error: z.object({
    code: Cause,
    message: z.string(),
    retryable: z.boolean(),
    details: Metadata.optional(),
  }),
  "agent.unparsed": z.object({ raw: z.unknown(), error: z.string(), location: z.string() }),
  /** Stands for events that cannot be read any more; its sequence is the last of theirs. */
  "log.damaged": z.object({
    from: z.int().positive(),
    to: z.int().positive(),
    bytes: z.int().nonnegative(),
    keptAs: z.string().optional(),
  }),
} as const;

export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as EventType[];

/** The body of one type of event. */
export type Body<T extends EventType> = { [K in T]: { type: K; data: z.infer<(typeof eventData)[K]> } }[T];
/** What happened, before it has a number and a time. */
export type EventBody = Body<EventType>;

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
