import { messageOf } from "@muster/core";
import type { Chat } from "../chat/chat.ts";
import { addInputHistory } from "../input/input-history.ts";
import type { PromptEditor } from "../input/prompt-editor.ts";
import { openFollowups } from "../transcript/followups.ts";
import { customCommand } from "./custom-commands.ts";
import { parseInput } from "./parse.ts";

/** What Enter needs of a front end. */
export interface Submitting {
  readonly chat: Chat;
  readonly editor: Pick<PromptEditor, "addToHistory">;
  inputMode: "prompt" | "bash";
  setTitle(text: string): void;
}

/** Enter: a command of the person's own, a slash command, or a prompt. */
export function submit(front: Submitting, typed: string): void {
  const { chat } = front;
  const text = followupOf(chat, typed.trim()) ?? typed.trim();
  if (text === "") {
    if (chat.prompts.queue.isPaused) chat.prompts.resumeQueue();
    return;
  }
  const isBash = front.inputMode === "bash" || text.startsWith("!");
  const typedAs = isBash ? `!${text.replace(/^!/, "")}` : text;
  front.editor.addToHistory(typedAs);
  // A full disk is no reason not to send what was typed.
  void addInputHistory(chat.io.home, typedAs).catch(() => undefined);
  if (isBash) {
    front.inputMode = "prompt";
    void settle(chat, () => chat.runCommand(text.replace(/^!\s*/, "")));
    return;
  }
  const parsed = parseInput(text);
  if (parsed.kind === "command") {
    void settle(chat, () => parsed.command.run(chat, parsed.argument.trim()));
    return;
  }
  if (parsed.kind === "unknown") {
    void settle(chat, async () => {
      const own = await customCommand(chat, parsed.name);
      if (own !== undefined) return chat.prompts.send({ text });
      const meant = parsed.nearest === undefined ? "/help lists them." : `Did you mean /${parsed.nearest}?`;
      chat.say(`There is no command /${parsed.name}. ${meant} Nothing was sent.`, "warning");
    });
    return;
  }
  front.setTitle(`codebuff · ${text.split("\n")[0]}`);
  const agent = /^@([\w-]+)\s+([\s\S]+)$/.exec(text);
  if (agent !== null) void settle(chat, () => sendToAgent(chat, agent[1] ?? "", agent[2] ?? "", text));
  else chat.prompts.send({ text });
}

/** A number alone is the follow-up the agent offered under it. */
function followupOf({ items, isRunning }: Chat, text: string): string | undefined {
  if (isRunning || !/^[1-9]$/.test(text)) return undefined;
  return openFollowups(items)[Number(text) - 1]?.prompt;
}

/** `@agent task` goes to that agent; with any other name it is a prompt that mentions a file. */
async function sendToAgent(chat: Chat, id: string, task: string, text: string): Promise<void> {
  const { client } = await chat.conversation();
  const agents = await client.listAgents();
  if (agents.some((agent) => agent.id === id)) chat.prompts.send({ text: task, agent: id });
  else chat.prompts.send({ text });
}

/** A command that fails says so; it never ends the chat. */
async function settle(chat: Chat, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    chat.say(messageOf(error), "error");
  }
}
