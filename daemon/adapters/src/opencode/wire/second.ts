import { isRecord } from "@muster/core";
import { z } from "zod";

/**
 * What OpenCode 2 says on `GET /api/event`, of what we read. Recorded from its server as it stood in the branch `v2` on
 * 19 August 2026; the released program was not to be had. Only the fields we read; others pass.
 */
const count = z.number().nonnegative();
const Tokens = z.object({
  input: count,
  output: count,
  reasoning: count,
  cache: z.object({ read: count, write: count }),
});
const Metadata = z.record(z.string(), z.unknown());
const StructuredError = z.object({ type: z.string(), message: z.string(), status: z.number().optional() });
export type SecondError = z.infer<typeof StructuredError>;

const Content = z.object({ type: z.string(), text: z.string().optional() });
const Source = z.object({ messageID: z.string(), id: z.string() });

export const SecondPermission = z.object({
  id: z.string(),
  sessionID: z.string(),
  action: z.string(),
  resources: z.array(z.string()),
  metadata: Metadata.optional(),
  source: Source.optional(),
});
export type SecondPermission = z.infer<typeof SecondPermission>;

const Option = z.object({ value: z.string(), label: z.string(), description: z.string().optional() });
const Field = z.object({
  key: z.string(),
  type: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  options: z.array(Option).optional(),
  custom: z.boolean().optional(),
});
export const SecondForm = z.object({
  id: z.string(),
  sessionID: z.string(),
  title: z.string().optional(),
  metadata: z.object({ kind: z.string().optional(), tool: Source.optional() }).optional(),
  fields: z.array(Field).min(1),
});
export type SecondForm = z.infer<typeof SecondForm>;

const ToolState = z.object({
  status: z.string(),
  input: z.unknown().optional(),
  content: z.array(Content).optional(),
  metadata: Metadata.optional(),
  error: StructuredError.optional(),
});
const Piece = z.object({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  state: ToolState.optional().catch(undefined),
});
/** A message as `GET /api/session/{id}/message` tells it. */
export const SecondMessage = z.object({
  id: z.string(),
  type: z.string(),
  time: z.object({ created: z.number(), completed: z.number().optional() }),
  content: z.array(Piece).optional(),
  error: StructuredError.optional(),
});
export type SecondMessage = z.infer<typeof SecondMessage>;

const of = { sessionID: z.string() };
const said = { ...of, assistantMessageID: z.string() };
const text = { ...said, ordinal: z.number() };
const call = { ...said, id: z.string() };
const event = <T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
  z.object({ type: z.literal(type), created: z.number().default(0), data: z.object(data) });

export const SecondEvent = z.discriminatedUnion("type", [
  event("session.created", { ...of, parentID: z.string().optional(), title: z.string().optional() }),
  event("session.deleted", of),
  event("session.renamed", { ...of, title: z.string() }),
  event("session.inbox.enqueued", { ...of, inboxID: z.string(), item: z.object({ type: z.string() }) }),
  event("session.inbox.delivered", { ...of, inboxID: z.string() }),
  event("session.execution.started", of),
  event("session.execution.succeeded", of),
  event("session.execution.failed", { ...of, error: StructuredError }),
  event("session.execution.interrupted", { ...of, reason: z.string().optional() }),
  event("session.step.started", said),
  event("session.step.ended", {
    ...said,
    finish: z.string(),
    cost: z.number(),
    tokens: Tokens,
    files: z.array(z.string()).optional(),
  }),
  event("session.step.failed", { ...said, cost: z.number().optional(), tokens: Tokens.optional() }),
  event("session.text.started", text),
  event("session.text.delta", { ...text, delta: z.string() }),
  event("session.text.ended", { ...text, text: z.string() }),
  event("session.reasoning.started", text),
  event("session.reasoning.delta", { ...text, delta: z.string() }),
  event("session.reasoning.ended", { ...text, text: z.string() }),
  event("session.tool.input.started", { ...call, name: z.string() }),
  event("session.tool.called", { ...call, input: z.unknown() }),
  event("session.tool.progress", { ...call, metadata: Metadata.optional() }),
  event("session.tool.success", { ...call, content: z.array(Content), metadata: Metadata.optional() }),
  event("session.tool.failed", {
    ...call,
    error: StructuredError,
    content: z.array(Content).optional(),
    metadata: Metadata.optional(),
  }),
  event("session.retry.scheduled", { ...said, attempt: z.number(), at: z.number(), error: StructuredError }),
  event("session.compaction.started", { ...of, reason: z.string().optional() }),
  event("session.compaction.ended", of),
  event("session.compaction.failed", of),
  event("permission.asked", SecondPermission.shape),
  event("permission.replied", { ...of, requestID: z.string() }),
  event("form.created", { form: SecondForm }),
  event("form.replied", { id: z.string() }),
  event("form.cancelled", { id: z.string() }),
]);
export type SecondEvent = z.infer<typeof SecondEvent>;

/** The kind of a line of version 2, which has `data` where version 1 has `properties`; undefined for any other. */
export function secondTypeOf(line: unknown): string | undefined {
  return isRecord(line) && typeof line.type === "string" && "data" in line ? line.type : undefined;
}

/** The session a line of version 2 names. */
export function secondSessionOf(line: unknown): string | undefined {
  if (!isRecord(line) || !isRecord(line.data)) return undefined;
  const { sessionID, form } = line.data;
  if (typeof sessionID === "string") return sessionID;
  return isRecord(form) && typeof form.sessionID === "string" ? form.sessionID : undefined;
}
