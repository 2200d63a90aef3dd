import { PermissionMode, SessionId } from "@muster/schema";
import { z } from "zod";

/** What is wrong with the file of a session; undefined when nothing is. */
export function damageOf(file: unknown): string | undefined {
  const { error } = Shape.safeParse(file);
  return error && z.prettifyError(error);
}

export function isCheckpoint(value: unknown): boolean {
  return Checkpoint.safeParse(value).success;
}

/** What everything else relies on; the rest was checked when it was asked for. */
const Shape = z.looseObject({
  sessionId: SessionId,
  createdAt: z.iso.datetime(),
  settings: z.looseObject({
    agent: z.string(),
    directory: z.string(),
    permissionMode: PermissionMode,
    env: z.record(z.string(), z.string()),
    mcp: z.record(z.string(), z.unknown()),
  }),
  digest: z.string(),
  secretNames: z.array(z.string()),
});
const Entries = z.record(z.string(), z.looseObject({}));
const Pairs = z.array(z.tuple([z.string(), z.looseObject({})]));
const Checkpoint = z.looseObject({
  sequence: z.int().nonnegative(),
  life: z.enum(["none", "open", "ended"]),
  settings: z.looseObject({}),
  turn: z.looseObject({ turnId: z.string() }).nullable(),
  items: Entries,
  questions: Entries,
  permissions: Entries,
  queue: z.array(z.looseObject({ messageId: z.string() })),
  messages: Entries,
  rules: z.array(z.unknown()),
  turns: z.array(z.looseObject({ turn: z.number(), turnId: z.string(), rules: z.number() })).optional(),
  usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }),
  costUsd: z.number(),
  wire: z
    .looseObject({
      total: z.looseObject({ requests: z.number(), listNanoUsd: z.number() }),
      models: Pairs,
      turns: Pairs,
      subAgents: Pairs,
      open: Pairs,
    })
    .optional(),
  next: z.record(z.string(), z.number()),
  updatedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().optional(),
  opening: z.string().optional(),
});
