import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionSummary } from "@muster/codebuff-sdk";
import { itemLines } from "../blocks/item-lines.ts";
import type { Chat } from "../chat/chat.ts";
import type { Theme } from "../text/theme.ts";
import type { Item } from "../transcript/items.ts";
import { itemsAsMarkdown } from "../transcript/items-as-markdown.ts";
import type { SlashCommand } from "./slash-command.ts";

export const talkCommands: readonly SlashCommand[] = [
  {
    name: "new",
    aliases: ["n", "clear", "c", "reset"],
    group: "talk",
    help: "begin a new conversation; the old one stays in /history",
    isWord: true,
    async run(chat) {
      if (await chat.switchTo(undefined)) chat.say("A new conversation. The old one is in /history.");
    },
  },
  {
    name: "history",
    aliases: ["chats"],
    group: "talk",
    help: "conversations of this project: search, look, go on or branch off",
    run: async (chat) => {
      const { store, page } = await historyOf(chat);
      const sessions = await store.list();
      if (sessions.length === 0) return chat.say("There is no conversation in this project yet.");
      const previews = new Map<string, readonly Item[]>();
      const preview = (session: SessionSummary, width: number, theme: Theme) => {
        const known = previews.get(session.id);
        if (known !== undefined)
          return known.slice(-6).flatMap((item) => itemLines(item, { width, theme, now: 0, unfolded: false }));
        previews.set(session.id, []);
        void page(session.id).then((items) => {
          previews.set(session.id, items);
          chat.view.changed();
        });
        return [theme.dim("…")];
      };
      const chosen = await chat.dialogs.choose({
        title: "Conversations of this project",
        choices: sessions.map((session) => ({
          label: session.title || "(no prompt)",
          help: whenOf(session),
          value: session,
        })),
        search: true,
        preview,
        escape: "closes",
      });
      const session = chosen?.values[0];
      if (session === undefined) return;
      const how = await chat.dialogs.choose({
        title: session.title || session.id,
        choices: [
          { label: "Go on with it", value: "continue" },
          { label: "Branch off: a new conversation with the same beginning", value: "fork" },
          { label: "Branch off before one of its messages", value: "fork before" },
        ],
        escape: "closes",
      });
      if (how === undefined) return;
      if (how.values[0] === "fork before") return forkBefore(chat, session.id);
      await chat.switchTo(how.values[0] === "fork" ? await store.fork(session.id) : session.id);
    },
  },
  {
    name: "compact",
    group: "talk",
    help: "shorten what the model remembers of this conversation",
    async run(chat) {
      if (chat.isRunning) return chat.say("The agent is working: interrupt it first (Escape).", "warning");
      const { compactHistory } = await import("../run/compact-history.ts");
      chat.say("Shortening …");
      const { text, tone } = await compactHistory(await chat.conversation(), chat.settings, await allItems(chat));
      chat.say(text, tone);
    },
  },
  {
    name: "export",
    group: "talk",
    argument: "[file]",
    help: "write this conversation to a Markdown file",
    async run(chat, file) {
      const { sessionId } = await chat.conversation();
      const path = resolve(chat.options.cwd, file === "" ? `codebuff-${sessionId ?? "chat"}.md` : file);
      await writeFile(path, itemsAsMarkdown(await allItems(chat)));
      chat.say(`Wrote ${path}`, "good");
    },
  },
  {
    name: "init",
    group: "talk",
    help: "let the agent write a knowledge file for this project",
    isWord: true,
    run(chat) {
      chat.prompts.send({ text: initPrompt });
    },
  },
  {
    name: "agent",
    group: "talk",
    argument: "[your multi-step task]",
    help: "agent mode: works by itself in one terminal until the task is done",
    async run(chat, task) {
      if (task !== "") return chat.prompts.send({ text: task, agentMode: true });
      // Before the session is read nobody knows what was interrupted in it.
      await chat.ready;
      chat.say(
        "/agent takes a task of many steps and works on it by itself until it is done: /agent make the tests pass",
      );
      await offerInterrupted(chat);
    },
  },
  {
    name: "btw",
    group: "talk",
    argument: "<text>",
    help: "tell the running agent something now",
    run(chat, text) {
      if (text === "") return chat.say("/btw takes what the agent should know: /btw use the other file");
      chat.prompts.steer(text);
    },
  },
];

const initPrompt = `Look at this project and write knowledge.md in its root: what it is, how it is built and tested, where things are, and the conventions that are not obvious from the code. Keep it under 100 lines. If there is one already, bring it up to date.`;

/** A task that was left in the middle can be taken up where it was. */
async function offerInterrupted(chat: Chat): Promise<void> {
  if (chat.isRunning) return;
  const { interruptedTask } = await import("../run/interrupted-task.ts");
  const task = await interruptedTask(await chat.conversation());
  if (task === undefined) return;
  const chosen = await chat.dialogs.choose({
    title: `Go on with the task that was interrupted: ${task}`,
    choices: [
      { label: "Yes, go on", value: "Go on with the task." },
      { label: "Yes, and consider this", value: "", takesText: true },
      { label: "No", value: undefined },
    ],
    escape: "leaves it",
  });
  const [said] = chosen?.values ?? [];
  if (chosen === undefined || said === undefined) return;
  chat.prompts.send({ text: said === "" ? chosen.text : said, agentMode: true });
}

/** A new conversation with everything before a message; the files stay as they are. */
async function forkBefore(chat: Chat, id: string): Promise<void> {
  const conversation = await chat.conversation();
  const { promptsOf } = await import("../run/prompts-of.ts");
  const prompts = await promptsOf(conversation, id);
  const chosen = await chat.dialogs.choose({
    title: "Branch off before which message?",
    choices: prompts.toReversed().map((prompt) => ({ label: prompt.text, value: prompt })),
    search: true,
    escape: "closes",
  });
  const place = chosen?.values[0];
  if (place === undefined) return;
  if (!(await chat.switchTo(await conversation.store.fork(id, { upTo: place.before })))) return;
  // The message may have waited in the queue when the branch begins; it stands in the editor now.
  await chat.prompts.queue.clear();
  chat.say("A branch. The message before which it begins stands in the editor; the files are as they were.");
  chat.view.draft(place.text);
}

async function historyOf(chat: Chat) {
  const conversation = await chat.conversation();
  const { loadTail } = await import("../run/load-tail.ts");
  return {
    store: conversation.store,
    page: async (id: string) => (await loadTail(conversation, id, { limit: 60 })).items,
  };
}

/** The whole conversation, also what was not read when it was resumed. */
async function allItems(chat: Chat): Promise<readonly Item[]> {
  const conversation = await chat.conversation();
  if (conversation.sessionId === undefined) return chat.items;
  const { loadTail } = await import("../run/load-tail.ts");
  return (await loadTail(conversation, conversation.sessionId, { limit: Number.MAX_SAFE_INTEGER })).items;
}

function whenOf({ updated, mode }: SessionSummary): string {
  return `${new Date(updated).toISOString().slice(0, 16).replace("T", " ")} ${mode ?? ""}`;
}
