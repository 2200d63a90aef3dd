import type { SessionEntry } from "@muster/codebuff-sdk";
import { z } from "zod";
import { QueuedPrompt } from "../input/prompt-queue.ts";
import { fold } from "../transcript/fold.ts";
import type { Item } from "../transcript/items.ts";
import { foldPlan, noPlan, type Plan } from "../transcript/plan.ts";
import { noteKinds, replay } from "../transcript/replay.ts";
import type { Conversation } from "./conversation.ts";

export interface Tail {
  readonly items: readonly Item[];
  readonly plan: Plan;
  /** Prompts that were waiting when the session was left. */
  readonly queue: readonly QueuedPrompt[];
  /** Where the entries before these end; undefined when these are all. */
  readonly before: number | undefined;
}

/** Enough for two screens; an entry is seldom less than a line. */
const entriesOfTwoScreens = 200;

/** The end of a session, read from its end: a long one costs no more than a short one. */
export async function loadTail(
  conversation: Pick<Conversation, "page">,
  sessionId: string,
  { limit = entriesOfTwoScreens, before }: { limit?: number; before?: number } = {},
): Promise<Tail> {
  const page = await conversation.page(sessionId, { limit, before });
  const entries = replay(fromPrompt(page.entries, page.before === undefined));
  let items: readonly Item[] = [];
  let plan = noPlan;
  for (const entry of entries) {
    items = fold(items, entry);
    plan = foldPlan(plan, entry);
  }
  // A process that died left its last run open.
  const last = entries.at(-1)?.at ?? 0;
  const isOpen =
    page.entries.findLastIndex(({ type }) => type === "run") > page.entries.findLastIndex(({ type }) => type === "end");
  if (isOpen) items = fold(items, { type: "finish", totalCost: 0, costUnknown: true, status: "cancelled", at: last });
  return { items, plan, queue: queueOf(page.entries), before: page.before };
}

/** A page may begin in the middle of a turn: results without their calls say nothing. */
function fromPrompt(entries: readonly SessionEntry[], isWhole: boolean): readonly SessionEntry[] {
  if (isWhole) return entries;
  const first = entries.findIndex(({ type }) => type === "run");
  return first === -1 ? entries : entries.slice(first);
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
