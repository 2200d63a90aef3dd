import { outputText } from "@muster/codebuff-protocol";
import type { Settings } from "../run-options.ts";
import type { Item } from "../transcript/items.ts";
import { itemsAsMarkdown } from "../transcript/items-as-markdown.ts";
import type { Conversation } from "./conversation.ts";
import type { Remark } from "./run-completion.ts";

/** What of a very long conversation is read; its end counts most. */
const mostCharacters = 400_000;

/** Takes the place of the whole history: a summary the model writes itself. */
export async function compactHistory(
  conversation: Conversation,
  settings: Settings,
  items: readonly Item[],
): Promise<Remark> {
  const session = await conversation.session();
  if (session === undefined) return { tone: "info", text: "Nothing has been said yet." };
  const planned = await conversation.planRun(settings);
  if ("refusal" in planned) return { tone: "error", text: planned.refusal.message };
  const { output } = await conversation.client.run({
    hooks: false,
    commands: false,
    agent: {
      id: "summariser",
      displayName: "Summariser",
      model: planned.model,
      systemPrompt: "You write down what matters of a conversation between a person and a coding agent.",
      toolNames: [],
    },
    prompt: `Summarise this conversation for the agent that will go on with it: the task, decisions, files that were changed and how, what is left to do. Be complete and short.\n\n${itemsAsMarkdown(items).slice(-mostCharacters)}`,
  });
  if (output.type === "error") return { tone: "error", text: output.message };
  const summary = outputText(output);
  const { entries } = await conversation.page(session.id, { limit: 1 });
  const text = `<system>The conversation so far was shortened to this summary:\n${summary}</system>`;
  await session.rewind(entries.at(-1)?.n ?? 0, [
    { role: "user", content: [{ type: "text", text }], keepDuringTruncation: true, sentAt: Date.now() },
  ]);
  return { tone: "good", text: `The model now remembers this of the conversation:\n${summary}` };
}
