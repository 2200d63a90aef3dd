import {
  Cause,
  type EventBody,
  eventTypes,
  type Item,
  ItemKind,
  ItemStatus,
  type Part,
  PermissionAction,
  PermissionMode,
  type Question,
  Role,
  ToolKind,
  type Usage,
} from "@muster/schema";
import fc from "fast-check";
import type { Command } from "../src/commands.ts";
import { diffOfTexts } from "../src/converter/tools/unified-diff.ts";

const text = fc.string({ maxLength: 20, unit: "grapheme" });
const id = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
/** As every agent's are told. */
const path = fc.stringMatching(/^[a-z0-9_]{1,8}(\/[a-z0-9_]{1,8})?$/);
const diff = fc
  .record({ path, before: text, after: text, is: fc.constantFrom("new" as const, "gone" as const, undefined) })
  .map(({ before, after, ...file }) => diffOfTexts(file, before, `${after}!\n`) ?? "");
const count = fc.nat({ max: 1_000_000 });
const cost = fc.integer({ min: 0, max: 10_000 }).map((micro) => micro / 1_000_000);
export const json = fc.jsonValue({ maxDepth: 2 });

/** A record where every field of `optional` may be missing. */
function record<R, O>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional?: { [K in keyof O]: fc.Arbitrary<O[K]> },
) {
  return fc
    .tuple(fc.record(required), fc.record(optional ?? ({} as never), { requiredKeys: [] }))
    .map(([one, other]) => ({ ...one, ...other }) as R & Partial<O>);
}

const part: fc.Arbitrary<Part> = fc.oneof(
  record({ type: fc.constant("text" as const), text }),
  record({
    type: fc.constant("reasoning" as const),
    text,
    visibility: fc.constantFrom("public" as const, "private" as const),
  }),
  record(
    {
      type: fc.constant("tool_call" as const),
      callId: id,
      name: text,
      toolKind: fc.constantFrom(...ToolKind.options),
      input: json,
    },
    { title: text },
  ),
  record(
    { type: fc.constant("tool_result" as const), callId: id, output: text, isError: fc.boolean() },
    { exitCode: fc.integer(), json },
  ),
  record(
    {
      type: fc.constant("file" as const),
      path,
      action: fc.constantFrom("read" as const, "write" as const, "patch" as const, "delete" as const),
    },
    { diff },
  ),
  record({ type: fc.constant("image" as const), mime: text }, { data: text, path: text }),
  record({ type: fc.constant("plan" as const), text }),
  record({ type: fc.constant("status" as const), label: text }, { detail: text }),
  record({ type: fc.constant("json" as const), json }),
);

const item: fc.Arbitrary<Item> = record(
  {
    itemId: fc.constant("item_7"),
    kind: fc.constantFrom(...ItemKind.options),
    status: fc.constantFrom(...ItemStatus.options),
    content: fc.array(part, { maxLength: 3 }),
  },
  {
    nativeItemId: id,
    parentId: fc.constant("item_parent"),
    role: fc.constantFrom(...Role.options),
    background: fc.boolean(),
    supersededBy: fc.constant("item_8"),
  },
);

const usage: fc.Arbitrary<Usage> = record(
  { inputTokens: count, outputTokens: count },
  {
    cachedInputTokens: count,
    reasoningTokens: count,
    contextTokens: count,
    contextWindow: fc.integer({ min: 1, max: 1_000_000 }),
  },
);

const question: fc.Arbitrary<Question> = record(
  {
    id,
    question: text,
    type: fc.constantFrom("string" as const, "boolean" as const, "number" as const),
    options: fc.array(record({ id, label: text }, { description: text }), { maxLength: 3 }),
    multiSelect: fc.boolean(),
    allowCustom: fc.boolean(),
  },
  { header: text, body: text, secret: fc.boolean() },
);

const time = fc.constant("2026-11-15T19:35:00.123Z");
const action = fc.constantFrom(...PermissionAction.options);
const mode = fc.constantFrom(...PermissionMode.options);
const cause = fc.constantFrom(...Cause.options);
const details = fc.dictionary(id, json, { maxKeys: 2 });

type DataOf = { [T in EventBody["type"]]: fc.Arbitrary<Extract<EventBody, { type: T }>["data"]> };

/** Every type of event, with data of every shape the schema allows. */
const data: DataOf = {
  "session.started": record({ agent: text, permissionMode: mode, directory: text, resumed: fc.boolean() }),
  "session.updated": record(
    {},
    {
      model: text,
      agentMode: text,
      variant: text,
      permissionMode: mode,
      title: text,
      nativeSessionId: id,
      agentVersion: text,
      commands: fc.array(record({ name: text }, { description: text }), { maxLength: 2 }),
      agentState: fc.constantFrom("starting" as const, "ready" as const, "asleep" as const),
      contextLost: fc.boolean(),
    },
  ),
  "session.ended": record({
    reason: fc.constantFrom("completed" as const, "error" as const, "terminated" as const),
    terminatedBy: fc.constantFrom("agent" as const, "daemon" as const, "client" as const),
  }),
  "message.updated": record(
    {
      messageId: id,
      status: fc.constantFrom("queued" as const, "given" as const, "joined" as const, "cancelled" as const),
    },
    { turnId: id },
  ),
  "turn.started": record({
    turnId: id,
    messageIds: fc.array(id, { maxLength: 2 }),
    origin: fc.constantFrom("user" as const, "agent" as const),
  }),
  "turn.ended": record(
    {
      turnId: id,
      status: fc.constantFrom("completed" as const, "interrupted" as const, "failed" as const, "uncertain" as const),
      durationMs: count,
    },
    { cause, message: text, usage, costUsd: cost, output: json },
  ),
  "item.started": record({ item }),
  "item.delta": record({
    itemId: fc.constant("item_7"),
    index: fc.nat({ max: 5 }),
    part: fc.constantFrom("text" as const, "reasoning" as const, "input" as const, "output" as const),
    delta: text,
  }),
  "item.completed": record({ item }),
  "question.requested": record(
    {
      questionId: id,
      kind: fc.constantFrom("question" as const, "plan_approval" as const),
      questions: fc.array(question, { minLength: 1, maxLength: 2 }),
    },
    {
      itemId: fc.constant("item_parent"),
      expiresAt: time,
      allowedPrompts: fc.array(fc.record({ prompt: text, tool: text }, { requiredKeys: ["prompt"] }), { maxLength: 2 }),
    },
  ),
  "question.resolved": record({ questionId: id, status: fc.constantFrom("answered" as const, "rejected" as const) }),
  "permission.requested": record(
    {
      permissionId: id,
      action,
      title: text,
      alwaysScope: fc.array(record({ action, pattern: text }), { maxLength: 2 }),
    },
    {
      detail: record(
        { command: text },
        {
          directory: text,
          paths: fc.array(path, { maxLength: 2 }),
          diff,
          url: text,
          tool: text,
          input: json,
          reason: text,
        },
      ),
      itemId: fc.constant("item_parent"),
      expiresAt: time,
    },
  ),
  "permission.resolved": record({
    permissionId: id,
    decision: fc.constantFrom("allow" as const, "reject" as const),
    by: fc.constantFrom("user" as const, "agent" as const),
  }),
  "plan.updated": record({
    entries: fc.array(
      record(
        {
          content: text,
          status: fc.constantFrom(
            "pending" as const,
            "in_progress" as const,
            "completed" as const,
            "cancelled" as const,
          ),
        },
        { priority: fc.constantFrom("high" as const, "medium" as const, "low" as const) },
      ),
      { maxLength: 3 },
    ),
  }),
  "usage.updated": fc
    .tuple(usage, fc.option(cost, { nil: undefined }))
    .map(([spent, costUsd]) => (costUsd === undefined ? spent : { ...spent, costUsd })),
  error: record({ code: cause, message: text, retryable: fc.boolean() }, { details }),
  "agent.unparsed": record({ raw: json, error: text, location: text }),
  "log.damaged": fc.constant({ from: 3, to: 5, bytes: 400 }),
};

export const event: fc.Arbitrary<EventBody> = fc.oneof(
  ...eventTypes.map((type) => (data[type] as fc.Arbitrary<unknown>).map((data) => ({ type, data }) as EventBody)),
);

const attachments = fc.array(record({ path: text, mime: text }, { filename: text }), { maxLength: 2 });
const message = { messageId: id, text, attachments };
/** Every command, with every shape its type allows. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  record({ type: fc.constant("message" as const), ...message }),
  record({ type: fc.constant("steer" as const), ...message }),
  record(
    {
      type: fc.constant("permission" as const),
      requestKey: id,
      decision: fc.constantFrom("allow" as const, "reject" as const),
    },
    { message: text },
  ),
  record(
    { type: fc.constant("question" as const), requestKey: id },
    { answers: fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 2 }), message: text, editedText: text },
  ),
  fc.constant({ type: "interrupt" as const }),
  record(
    { type: fc.constant("update" as const) },
    { model: text, agentMode: text, variant: text, permissionMode: mode },
  ),
);
