import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Chat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { Daemon } from "./daemon.ts";

/** The chat of ai 7 against POST /ui: it takes what was made for ai 6. */
let daemon: Daemon;
before(async () => {
  daemon = await Daemon.make();
});
after(() => daemon.remove());

test("text, reasoning, a tool and its result", async () => {
  const chat = await open("whole", "bypass");
  await chat.sendMessage({ text: "reasoning" });
  assert.ok(chat.lastMessage?.parts.some(({ type }) => type === "reasoning"));
  await chat.sendMessage({ text: "tool" });
  assert.equal(chat.error, undefined);
  assert.deepEqual(states(chat), ["output-available"]);
  assert.equal(textOf(chat), "There are two entries.");
});

test("an approval pauses, another page resumes it, the answer goes on in the same message", async () => {
  const chat = await open("approval");
  await chat.sendMessage({ text: "permission touch a" });
  assert.deepEqual(states(chat), ["approval-requested"]);
  const other = chatOn("approval");
  await other.resumeStream();
  assert.deepEqual(states(other), ["approval-requested"]);
  await answer(other, false, "not today");
  assert.equal(other.messages.length, 1);
  assert.deepEqual(states(other), ["output-denied"]);
  assert.match(textOf(other), /not today/);
});

test("a question is answered by what the person types; a failed turn is the chat's error", async () => {
  const chat = await open("question");
  await chat.sendMessage({ text: "question" });
  assert.ok(chat.lastMessage?.parts.some(({ type }) => type === "data-question"));
  await chat.sendMessage({ text: "Red" });
  assert.match(textOf(chat), /You answered: Red/);
  await chat.sendMessage({ text: "error" });
  assert.match(chat.error?.message ?? "", /provider_error: The pretended provider failed/);
});

test("a page that leaves in the middle of a turn finds it again", async () => {
  const chat = await open("leaving");
  const left = chat.sendMessage({ text: "slow 1500" });
  await new Promise<void>((resolve) => {
    chat["~registerMessagesCallback"](() => {
      if (textOf(chat).includes("tick")) resolve();
    });
  });
  await chat.stop();
  await left;
  const other = chatOn("leaving");
  await other.resumeStream();
  assert.equal(other.error, undefined);
  assert.match(textOf(other), /^(tick )+$/);
  const { messages } = await daemon.client.sessions.getMessages({ sessionId: "leaving" });
  assert.ok(JSON.stringify(messages).includes(textOf(other)));
});

type AnyChat = Chat<UIMessage>;

async function open(sessionId: string, permissionMode: "default" | "bypass" = "default"): Promise<AnyChat> {
  await daemon.client.sessions.create({ sessionId, agent: "mock", directory: daemon.home, permissionMode });
  return chatOn(sessionId);
}

function chatOn(id: string): AnyChat {
  const transport = new DefaultChatTransport({ api: `${daemon.endpoint}/ui` });
  const chat: AnyChat = new Chat({
    id,
    transport,
    sendAutomaticallyWhen: ({ messages }) => {
      const all = messages.at(-1)?.parts.map((part) => ("state" in part ? part.state : undefined)) ?? [];
      return all.includes("approval-responded") && !all.includes("approval-requested");
    },
  });
  return chat;
}

async function answer(chat: AnyChat, approved: boolean, reason: string): Promise<void> {
  const waiting = tools(chat).find(({ state }) => state === "approval-requested");
  const ended = new Promise<void>((resolve) => {
    const off = chat["~registerStatusCallback"](() => {
      if (chat.status !== "ready" && chat.status !== "error") return;
      off();
      resolve();
    });
  });
  await chat.addToolApprovalResponse({ id: waiting?.approval?.id ?? "", approved, reason });
  await ended;
}

function tools(chat: AnyChat) {
  return chat.lastMessage?.parts.filter((part) => part.type === "dynamic-tool") ?? [];
}

function states(chat: AnyChat): string[] {
  return tools(chat).map(({ state }) => state);
}

function textOf(chat: AnyChat): string {
  return chat.lastMessage?.parts.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
}
