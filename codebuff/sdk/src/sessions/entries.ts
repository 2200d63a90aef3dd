import { Message, ToolCall } from "@muster/codebuff-protocol";
import { parseJson } from "@muster/core";
import { z } from "zod";

/** The first line of a session file. */
const SessionHeader = z.looseObject({
  type: z.literal("header"),
  version: z.literal(1),
  id: z.string(),
  cwd: z.string(),
  created: z.number(),
  mode: z.string().optional(),
  parent: z.object({ id: z.string(), upTo: z.int() }).optional(),
});
export type SessionHeader = z.infer<typeof SessionHeader>;

const agentId = z.string();
const messages = z.array(Message);

/** What the journal of a run says, and what the owner of the session adds. */
const Body = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("append"), agentId, messages }),
  z.looseObject({ type: z.literal("replace"), agentId, messages, reason: z.string().optional() }),
  /** A replacement told by what it keeps: ranges of the view before it, then these messages. */
  z.looseObject({
    type: z.literal("edit"),
    agentId,
    keep: z.array(z.tuple([z.int().min(0), z.int().min(0)])),
    messages,
    reason: z.string().optional(),
  }),
  z.looseObject({ type: z.literal("calls"), agentId, calls: z.array(ToolCall) }),
  z.looseObject({
    type: z.literal("run"),
    runId: z.string().optional(),
    agent: z.string(),
    model: z.string().optional(),
  }),
  z.looseObject({ type: z.literal("end"), status: z.string(), state: z.record(z.string(), z.unknown()).optional() }),
  /** Everything after entry `to` is taken back; it stays in the file. */
  z.looseObject({ type: z.literal("rewind"), to: z.int().min(0) }),
  /** What that rewind took back counts again. */
  z.looseObject({ type: z.literal("redo"), rewind: z.int().min(1) }),
  /** Free for the owner: queued prompts, notes of the screen. */
  z.looseObject({ type: z.literal("note"), kind: z.string(), value: z.unknown() }),
]);
export type SessionEntryBody = z.infer<typeof Body>;

/** `n` counts the lines from 1, so that a place can be named without reading what stands before it. */
const SessionEntry = z.intersection(z.object({ n: z.int().min(1), at: z.number() }), Body);
export type SessionEntry = z.infer<typeof SessionEntry>;

/** Undefined for a line that cannot be read. */
export function parseEntry(line: string): SessionEntry | undefined {
  return SessionEntry.safeParse(parseJson(line)).data;
}

export function parseHeader(line: string): SessionHeader | undefined {
  return SessionHeader.safeParse(parseJson(line)).data;
}

/** The entries that count: what a rewind took back is left out, unless a redo brought it back. Pure. */
export function standingOf(entries: readonly SessionEntry[]): SessionEntry[] {
  const redone = new Set(entries.flatMap((entry) => (entry.type === "redo" ? [entry.rewind] : [])));
  let standing: SessionEntry[] = [];
  for (const entry of entries) {
    if (entry.type === "rewind") {
      if (!redone.has(entry.n)) standing = standing.filter(({ n }) => n <= entry.to);
    } else if (entry.type !== "redo") standing.push(entry);
  }
  return standing;
}
