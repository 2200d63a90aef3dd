import type { Message } from "@muster/codebuff-protocol";
import type { Conversation } from "./conversation.ts";
import { promptsOf } from "./prompts-of.ts";

const taken = new WeakMap<Conversation, { text: string; messages: readonly Message[] }[]>();

/** Takes the last prompt and everything after it out of the model's memory; the file keeps it. */
export async function undoChat(conversation: Conversation): Promise<string> {
  const { session } = conversation;
  if (session === undefined) return "Nothing has been said yet.";
  const last = (await promptsOf(conversation, session.id)).at(-1);
  if (last === undefined) return "Nothing has been said yet.";
  const undone = taken.get(conversation) ?? [];
  taken.set(conversation, [...undone, { text: last.text, messages: session.state.messageHistory ?? [] }]);
  await session.rewind(last.before, []);
  // The history that stands before it is what the file tells now.
  const { messages } = await conversation.store.restore(session.id);
  await session.rewind(last.before, messages);
  return `Taken back: "${last.text}". What stands above it in the scrollback does not count any more.`;
}

/** Brings back what the last undo of this process took away. */
export async function redoChat(conversation: Conversation): Promise<string> {
  const { session } = conversation;
  const undone = taken.get(conversation) ?? [];
  const last = undone.at(-1);
  if (session === undefined || last === undefined) return "There is nothing to bring back.";
  taken.set(conversation, undone.slice(0, -1));
  const { entries } = await conversation.page(session.id, { limit: 1 });
  await session.rewind(entries.at(-1)?.n ?? 0, last.messages);
  return `Brought back: "${last.text}".`;
}
