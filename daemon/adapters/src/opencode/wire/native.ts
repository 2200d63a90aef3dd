import { isRecord } from "@muster/core";
import { z } from "zod";
import type { OpencodeCall } from "./calls.ts";

/**
 * What `opencode serve` 1.18.33 says on `GET /global/event`, one JSON object per line. Only the fields we read; others
 * pass. The types beginning with `daemon.` are no events of the server: process.ts writes them, so that what it asked
 * for over HTTP reaches the converter as a recorded line like everything else.
 */
const count = z.number().nonnegative();
const Tokens = z.object({
  total: count.optional(),
  input: count,
  output: count,
  reasoning: count,
  cache: z.object({ read: count, write: count }),
});
export type Tokens = z.infer<typeof Tokens>;

const NativeError = z.object({
  name: z.string(),
  data: z.object({ message: z.string().optional(), statusCode: z.number().optional() }).optional(),
});
export type NativeError = z.infer<typeof NativeError>;

const SessionInfo = z.object({
  id: z.string(),
  parentID: z.string().optional(),
  title: z.string().optional(),
  directory: z.string().optional(),
});

const MessageInfo = z.object({
  id: z.string(),
  sessionID: z.string(),
  role: z.enum(["user", "assistant"]),
  parentID: z.string().optional(),
  time: z.object({ created: z.number(), completed: z.number().optional() }),
  error: NativeError.optional(),
});
export type MessageInfo = z.infer<typeof MessageInfo>;

const Metadata = z.record(z.string(), z.unknown());
const ToolState = z.object({
  status: z.enum(["pending", "running", "completed", "error"]),
  input: z.unknown().optional(),
  title: z.string().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  metadata: Metadata.optional(),
});
const part = { id: z.string(), messageID: z.string(), sessionID: z.string() };
const Span = z.object({ start: z.number(), end: z.number().optional() });

const Part = z.discriminatedUnion("type", [
  z.object({ ...part, type: z.literal("text"), text: z.string(), time: Span.optional() }),
  z.object({ ...part, type: z.literal("reasoning"), text: z.string(), time: Span.optional() }),
  z.object({ ...part, type: z.literal("tool"), tool: z.string(), callID: z.string(), state: ToolState }),
  z.object({
    ...part,
    type: z.literal("step-finish"),
    reason: z.string().optional(),
    tokens: Tokens,
    cost: z.number(),
  }),
  z.object({ ...part, type: z.literal("patch"), files: z.array(z.string()) }),
  z.object({ ...part, type: z.literal("compaction"), auto: z.boolean().optional(), overflow: z.boolean().optional() }),
  z.object({ ...part, type: z.enum(["step-start", "snapshot", "retry", "file", "agent", "subtask"]) }),
]);
export type NativePart = z.infer<typeof Part>;
export type ToolPart = Extract<NativePart, { type: "tool" }>;
export type TextualPart = Extract<NativePart, { type: "text" | "reasoning" }>;

const Status = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("busy") }),
  z.object({ type: z.literal("retry"), attempt: z.number(), message: z.string(), next: z.number() }),
]);
export type NativeStatus = z.infer<typeof Status>;

const Tool = z.object({ messageID: z.string(), callID: z.string() });
const NativePermission = z.object({
  id: z.string(),
  sessionID: z.string(),
  permission: z.string(),
  patterns: z.array(z.string()),
  metadata: Metadata.optional(),
  tool: Tool.optional(),
});
export type NativePermission = z.infer<typeof NativePermission>;

const NativeQuestion = z.object({
  id: z.string(),
  sessionID: z.string(),
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().optional(),
        options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
        multiple: z.boolean().optional(),
        custom: z.boolean().optional(),
      }),
    )
    .min(1),
  tool: Tool.optional(),
});
export type NativeQuestion = z.infer<typeof NativeQuestion>;

const Todo = z.object({ content: z.string(), status: z.string(), priority: z.string().optional() });
const StoredMessage = z.object({ info: MessageInfo, parts: z.array(z.unknown()) });

const of = z.object({ sessionID: z.string() });
const event = <T extends string, P extends z.ZodType>(type: T, properties: P) =>
  z.object({ type: z.literal(type), properties });

/** One event, already out of its envelope. */
export const OpencodeEvent = z.discriminatedUnion("type", [
  event("session.created", z.object({ info: SessionInfo })),
  event("session.updated", z.object({ info: SessionInfo })),
  event("session.deleted", z.object({ info: SessionInfo })),
  event("session.status", of.extend({ status: Status })),
  event("session.idle", of),
  event("session.error", of.extend({ error: NativeError.optional() })),
  event("session.compacted", of),
  event("session.diff", of),
  event("message.updated", z.object({ info: MessageInfo })),
  event("message.removed", of.extend({ messageID: z.string() })),
  event("message.part.updated", z.object({ part: Part })),
  event(
    "message.part.delta",
    of.extend({ messageID: z.string(), partID: z.string(), field: z.string(), delta: z.string() }),
  ),
  event("message.part.removed", of.extend({ messageID: z.string(), partID: z.string() })),
  event("permission.asked", NativePermission),
  event("permission.replied", of.extend({ requestID: z.string(), reply: z.string().optional() })),
  event("question.asked", NativeQuestion),
  event("question.replied", of.extend({ requestID: z.string() })),
  event("question.rejected", of.extend({ requestID: z.string() })),
  event("todo.updated", of.extend({ todos: z.array(Todo) })),
  /** A call of ours that the server did not take. */
  event("daemon.refused", of.extend({ path: z.string(), status: z.number(), message: z.string() })),
  /** Everything of a session, read again after the event stream was interrupted. */
  event(
    "daemon.reread",
    of.extend({
      status: Status,
      children: z.array(SessionInfo),
      messages: z.array(StoredMessage),
      permissions: z.array(NativePermission),
      questions: z.array(NativeQuestion),
    }),
  ),
]);
export type OpencodeEvent = z.infer<typeof OpencodeEvent>;
export type EventOf<T extends OpencodeEvent["type"]> = Extract<OpencodeEvent, { type: T }>["properties"];

/** A line of the stream: an event in the envelope of `/global/event`, or bare as on `/event`. */
export type OpencodeLine = { payload: { type: string; properties: unknown } } | { type: string; properties: unknown };

export type OpencodeNative = OpencodeLine | OpencodeCall;

/** The event of a line; undefined for what is none. */
export function eventOf(line: unknown): { type: string; properties: unknown } | undefined {
  const event = isRecord(line) && isRecord(line.payload) ? line.payload : line;
  if (!isRecord(event) || typeof event.type !== "string") return undefined;
  return { type: event.type, properties: event.properties };
}

/** The session an event names, whether it is about the session itself or about something in it. */
export function sessionOf(properties: unknown): string | undefined {
  if (!isRecord(properties)) return undefined;
  const { sessionID, info, part: piece } = properties;
  if (typeof sessionID === "string") return sessionID;
  if (isRecord(piece) && typeof piece.sessionID === "string") return piece.sessionID;
  if (!isRecord(info)) return undefined;
  if (typeof info.sessionID === "string") return info.sessionID;
  return typeof info.id === "string" && info.id.startsWith("ses_") ? info.id : undefined;
}
