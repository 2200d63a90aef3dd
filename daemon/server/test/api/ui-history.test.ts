import type { UIMessage } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { answer, chatOn, textOf, type UiChat } from "./ui-chat.ts";

/** What the official client of ai 6 made of the live streams is what a session's past must give it again. */
let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterAll(() => home.remove());

test("the past is the messages that useChat made of the live streams: text, thought, tools, approvals, plan, error", async () => {
  const chat = await open("past");
  for (const text of ["reasoning", "plan", "error", "echo a b"]) await chat.sendMessage({ text });
  await chat.sendMessage({ text: "permission touch a" });
  await answer(chat, true);
  await chat.sendMessage({ text: "permission touch b" });
  await answer(chat, false, "not today");
  const past = await pastOf("past");
  expect(past.map(comparable)).toEqual(chat.messages.map(comparable));
  expect(past).toHaveLength(12);
});

test("an answer in own words stands below its question, which is told once, live and afterwards", async () => {
  const chat = await open("asked");
  await chat.sendMessage({ text: "question" });
  await chat.sendMessage({ text: "Blue" });
  const past = await pastOf("asked");
  for (const messages of [chat.messages, past]) {
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(messages.flatMap(({ parts }) => parts).filter(({ type }) => type === "data-question")).toHaveLength(1);
    expect(messages.map(textOf)).toEqual(["question", expect.any(String), "Blue", expect.stringContaining("Blue")]);
  }
});

test("of an open turn the past has what the person said, and resume tells the rest once", async () => {
  const chat = await open("open");
  await chat.sendMessage({ text: "echo first" });
  await chat.sendMessage({ text: "permission touch a" });
  const past = await pastOf("open");
  expect(past.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  const late = chatOn(daemon.api.baseUrl, "open");
  late.messages = past;
  await late.resumeStream();
  expect(late.messages.map(comparable)).toEqual(chat.messages.map(comparable));
});

async function open(id: string): Promise<UiChat> {
  const response = await fetch(`${daemon.api.baseUrl}/sessions/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: "mock" }),
  });
  expect(response.status).toBe(201);
  return chatOn(daemon.api.baseUrl, id);
}

async function pastOf(id: string): Promise<UIMessage[]> {
  const response = await fetch(`${daemon.api.baseUrl}/ui/${id}/messages`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { messages: UIMessage[] }).messages;
}

/**
 * Without what says nothing: fields that are undefined, steps, of which a stream that goes on has one more, and the ids by
 * which some releases of ai 6 tell thoughts apart while they stream.
 */
function comparable(message: UIMessage): unknown {
  const parts = message.parts
    .filter(({ type }) => type !== "step-start")
    .map((part) => (part.type === "reasoning" ? { ...part, id: undefined } : part));
  return JSON.parse(JSON.stringify({ ...message, parts }));
}
