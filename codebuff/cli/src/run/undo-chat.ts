import { type SessionEntry, standingOf } from "@muster/codebuff-sdk";
import type { Conversation } from "./conversation.ts";
import { promptsOf } from "./prompts-of.ts";
import type { Remark } from "./run-completion.ts";

/** Takes the last prompt and everything after it out of the model's memory; the file keeps it. */
export async function undoChat(conversation: Conversation): Promise<Remark> {
  const { store } = conversation;
  const session = await conversation.session();
  const last = session === undefined ? undefined : (await promptsOf(conversation, session.id)).at(-1);
  if (session === undefined || last === undefined) return { tone: "info", text: "Nothing has been said yet." };
  const { messages } = await store.restore(session.id, { upTo: last.before });
  await session.rewind(last.before, messages);
  const text = `Taken back: "${last.text}". The agent has forgotten that prompt and its answer; they only stay visible above.`;
  return { tone: "warning", text };
}

/** Brings back what the last undo took away, also one of an earlier process; a prompt after it ends that. */
export async function redoChat(conversation: Conversation): Promise<Remark> {
  const { store } = conversation;
  const session = await conversation.session();
  if (session === undefined) return nothing;
  const { entries } = await conversation.page(session.id, { limit: Number.MAX_SAFE_INTEGER });
  const rewind = lastUndo(entries);
  if (rewind === undefined) return nothing;
  const { messages } = await store.restore(session.id, { redone: rewind });
  await session.redo(rewind, messages);
  const text = (await promptsOf(conversation, session.id)).at(-1)?.text ?? "";
  return { tone: "good", text: `Brought back: "${text}".` };
}

const nothing: Remark = { tone: "info", text: "There is nothing to bring back." };

/** The newest rewind that took a prompt away and was not taken back itself; undefined when a prompt came after it. */
function lastUndo(entries: readonly SessionEntry[]): number | undefined {
  const redone = new Set(entries.flatMap((entry) => (entry.type === "redo" ? [entry.rewind] : [])));
  const standing = new Set(standingOf(entries));
  for (const entry of entries.toReversed()) {
    if (entry.type === "run" && standing.has(entry)) return undefined;
    if (entry.type !== "rewind" || redone.has(entry.n)) continue;
    if (entries.some(({ type, n }) => type === "run" && n > entry.to && n < entry.n)) return entry.n;
  }
  return undefined;
}
