import { type SessionEntry, standingOf } from "@muster/codebuff-sdk";
import { z } from "zod";
import { fold } from "../transcript/fold.ts";
import type { Item } from "../transcript/items.ts";
import { foldPlan, noPlan, type Plan } from "../transcript/plan.ts";
import { noteKinds, replay } from "../transcript/replay.ts";
import type { Conversation } from "./conversation.ts";
import { QueuedPrompt } from "./prompt-queue.ts";

export interface Tail {
  readonly items: readonly Item[];
  readonly plan: Plan;
  /** Prompts that were waiting when the session was left. */
  readonly queue: readonly QueuedPrompt[];
  /** What the session had cost by its last run. */
  readonly usd: number;
  /** What stands before these; undefined when these are all. */
  readonly before: Place | undefined;
}

/** Enough for two screens; an entry is seldom less than a line. */
const entriesOfTwoScreens = 200;

/** A part of a session: where it ends, and the last entry that counts because later ones took back what follows it. */
export interface Place {
  readonly before: number;
  readonly upTo: number;
}

/** The end of a session, read from its end and from the beginning of a turn: a long one costs no more than a short one. */
export async function loadTail(
  conversation: Pick<Conversation, "page">,
  sessionId: string,
  { limit = entriesOfTwoScreens, place }: { limit?: number; place?: Place } = {},
): Promise<Tail> {
  const page = await conversation.page(sessionId, { limit, before: place?.before, beginsWith: "run" });
  const upTo = place?.upTo ?? Number.POSITIVE_INFINITY;
  const standing = standingOf(page.entries).filter(({ n }) => n <= upTo);
  const entries = replay(standing);
  let items: readonly Item[] = [];
  let plan = noPlan;
  for (const entry of entries) {
    items = fold(items, entry);
    plan = foldPlan(plan, entry);
  }
  // A process that died left its last run open.
  const last = entries.at(-1)?.at ?? 0;
  const isOpen =
    standing.findLastIndex(({ type }) => type === "run") > standing.findLastIndex(({ type }) => type === "end");
  if (isOpen) items = fold(items, { type: "finish", totalCost: 0, costUnknown: true, status: "cancelled", at: last });
  const before =
    page.before === undefined ? undefined : { before: page.before, upTo: Math.min(upTo, lowestRewind(page.entries)) };
  return { items, plan, queue: queueOf(page.entries), usd: costOf(page.entries), before };
}

/** A rewind takes back entries of earlier pages too. */
function lowestRewind(entries: readonly SessionEntry[]): number {
  const redone = new Set(entries.flatMap((entry) => (entry.type === "redo" ? [entry.rewind] : [])));
  const places = entries.flatMap((entry) => (entry.type === "rewind" && !redone.has(entry.n) ? [entry.to] : []));
  return Math.min(Number.POSITIVE_INFINITY, ...places);
}

const KnownCost = z.looseObject({ type: z.literal("finish"), sessionUsd: z.number() });

function costOf(entries: readonly SessionEntry[]): number {
  const told = entries.flatMap((entry) =>
    entry.type === "note" ? (KnownCost.safeParse(entry.value).data?.sessionUsd ?? []) : [],
  );
  return told.at(-1) ?? 0;
}

/** The last note of the queue, without what was sent after it. */
function queueOf(entries: readonly SessionEntry[]): QueuedPrompt[] {
  const at = entries.findLastIndex((entry) => entry.type === "note" && entry.kind === noteKinds.queue);
  const note = entries[at];
  if (note?.type !== "note") return [];
  const sent = new Set(entries.slice(at).flatMap((entry) => (entry.type === "run" ? [entry.messageId] : [])));
  const queued = z.array(QueuedPrompt).safeParse(note.value).data ?? [];
  return queued.filter(({ id }) => !sent.has(id));
}
