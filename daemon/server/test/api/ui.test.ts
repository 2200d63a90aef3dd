import { Conversation } from "@muster/conformance";
import type { UIMessage } from "ai";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { answer, chatOn, textOf, toolsOf, type UiChat } from "./ui-chat.ts";

/** The official client of ai 6 against a real daemon. */
let home: DaemonHome;
let daemon: DaemonProcess;
beforeAll(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterAll(() => home.remove());

test("text, reasoning, tools and plan of a turn are one message", async () => {
  const chat = await open("whole", { permissionMode: "bypass" });
  await chat.sendMessage({ text: "reasoning" });
  await chat.sendMessage({ text: "tool" });
  await chat.sendMessage({ text: "plan" });
  expect(chat.error).toBeUndefined();
  const [thought, called, planned] = chat.messages.filter(({ role }) => role === "assistant");
  expect(thought?.parts.map(({ type }) => type)).toContain("reasoning");
  expect(textOf(thought)).not.toBe("");
  expect(toolsOf(called)).toMatchObject([{ state: "output-available", output: { text: expect.any(String) } }]);
  expect(planned?.parts).toContainEqual(expect.objectContaining({ type: "data-plan" }));
  expect(thought?.id).toBe("turn_1");
  expect(thought?.metadata).toMatchObject({ sessionId: "whole", turnId: "turn_1", status: "completed" });
});

test("an approval ends the stream; the answer goes on in the same message", async () => {
  const chat = await open("approval");
  await chat.sendMessage({ text: "permission touch a" });
  expect(toolsOf(chat.lastMessage)).toMatchObject([{ state: "approval-requested", input: { command: "touch a" } }]);
  expect(chat.lastMessage?.parts).toContainEqual(
    expect.objectContaining({ type: "data-permission", data: expect.objectContaining({ action: "execute" }) }),
  );
  const { id } = chat.lastMessage ?? {};
  await answer(chat, true);
  expect(chat.messages).toHaveLength(2);
  expect(chat.lastMessage?.id).toBe(id);
  expect(toolsOf(chat.lastMessage)).toMatchObject([{ state: "output-available" }]);
  expect(textOf(chat.lastMessage)).not.toBe("");
});

test("a refused call is denied and the turn goes on", async () => {
  const chat = await open("refused");
  await chat.sendMessage({ text: "permission touch a" });
  await answer(chat, false, "not today");
  expect(toolsOf(chat.lastMessage)).toMatchObject([{ state: "output-denied" }]);
  expect(textOf(chat.lastMessage)).toContain("not today");
});

test("reply: always grants it for the rest of the session", async () => {
  const chat = await open("always", {}, { reply: "always" });
  await chat.sendMessage({ text: "permission touch a" });
  await answer(chat, true);
  await chat.sendMessage({ text: "permission touch a" });
  expect(toolsOf(chat.lastMessage)).toMatchObject([{ state: "output-available" }]);
});

test("an answer that comes after another one's does no harm: the stream tells what was decided", async () => {
  const chat = await open("second");
  await chat.sendMessage({ text: "permission touch a" });
  await daemon.api.post("/sessions/second/permissions/permission_1/reply", { reply: "reject", message: "I was first" });
  await answer(chat, true);
  expect(toolsOf(chat.lastMessage)).toMatchObject([{ state: "output-denied" }]);
  expect(textOf(chat.lastMessage)).toContain("I was first");
});

test("a question is answered by what the person types, or by a data-answer", async () => {
  const chat = await open("question");
  await chat.sendMessage({ text: "question" });
  const [asked] = dataOf(chat.lastMessage, "data-question");
  expect(asked).toMatchObject({ kind: "question", questions: [{ options: [{ label: "Red" }, { label: "Blue" }] }] });
  await chat.sendMessage({ text: "Red" });
  expect(textOf(chat.lastMessage)).toContain("You answered: Red");
  expect(chat.messages.flatMap((message) => dataOf(message, "data-question"))).toHaveLength(1);
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);

  await chat.sendMessage({ text: "questions" });
  const [both] = dataOf(chat.lastMessage, "data-question") as { questionId: string; questions: { id: string }[] }[];
  expect(both?.questions).toHaveLength(2);
  const data = { questionId: both?.questionId, reject: "neither" };
  await chat.sendMessage({ role: "user", parts: [{ type: "data-answer", data }] });
  expect(textOf(chat.lastMessage)).toContain("You declined: neither");
});

test("a turn that fails is an error with its cause; what came before it stays", async () => {
  const chat = await open("failing");
  await chat.sendMessage({ text: "error" });
  expect(chat.status).toBe("error");
  expect(chat.error?.message).toContain("provider_error: The pretended provider failed");
  expect(chat.lastMessage?.metadata).toMatchObject({ status: "failed", cause: "provider_error" });
  chat.clearError();
  await chat.sendMessage({ text: "echo again" });
  expect(textOf(chat.lastMessage)).toBe("again");
});

test("another page resumes an open turn from its beginning, also at a request; without one there is nothing", async () => {
  const chat = await open("resumed");
  await chat.sendMessage({ text: "permission touch a" });
  const other = chatOn(daemon.api.baseUrl, "resumed");
  await other.resumeStream();
  expect(withoutSteps(other.lastMessage)).toEqual(withoutSteps(chat.lastMessage));
  await answer(other, true);
  expect(toolsOf(other.lastMessage)).toMatchObject([{ state: "output-available" }]);

  const watcher = watch("resumed");
  const { sequence } = await watcher.until("turn.ended");
  const running = chat.sendMessage({ text: "slow 400" });
  await watcher.until("item.delta", undefined, sequence);
  const late = chatOn(daemon.api.baseUrl, "resumed");
  await Promise.all([running, late.resumeStream()]);
  expect(textOf(late.lastMessage)).toBe(textOf(chat.lastMessage));
  expect(textOf(late.lastMessage)).toContain("tick");

  const idle = await fetch(`${daemon.api.baseUrl}/ui/resumed/stream`);
  expect(idle.status).toBe(204);
});

test("two tabs: the second sees the turn of the first, and what it says meanwhile comes after it", async () => {
  const chat = await open("tabs");
  const first = chat.sendMessage({ text: "slow 800" });
  await watch("tabs").until("item.delta");
  const other = chatOn(daemon.api.baseUrl, "tabs");
  const resumed = other.resumeStream();
  const third = chatOn(daemon.api.baseUrl, "tabs");
  await Promise.all([first, resumed, third.sendMessage({ text: "echo after you" })]);
  expect(textOf(other.lastMessage)).toBe(textOf(chat.lastMessage));
  expect(textOf(third.lastMessage)).toBe("after you");
  expect([chat.error, other.error, third.error]).toEqual([undefined, undefined, undefined]);
});

test("a page that comes in the middle of a tool sees the call, and how it ends", async () => {
  const chat = await open("tool", { permissionMode: "bypass" });
  const running = chat.sendMessage({ text: "hang-tool" });
  const watcher = watch("tool");
  await watcher.until("item.started", ({ item }) => item.kind === "tool_call");
  const late = chatOn(daemon.api.baseUrl, "tool");
  const resumed = late.resumeStream();
  await daemon.api.post("/sessions/tool/interrupt", {});
  await Promise.all([running, resumed]);
  for (const one of [chat, late]) {
    expect(one.error).toBeUndefined();
    expect(toolsOf(one.lastMessage)).toMatchObject([{ state: "output-error", errorText: "cancelled" }]);
  }
});

test("the same approval sent twice at once decides once, and both hear the rest", async () => {
  const chat = await open("double");
  await chat.sendMessage({ text: "permission touch a" });
  const approved = { id: "permission_1", approved: true };
  const parts = [
    { type: "dynamic-tool", toolName: "shell", toolCallId: "c", state: "approval-responded", approval: approved },
  ];
  const body = { id: "double", messages: [{ id: chat.lastMessage?.id, role: "assistant", parts }] };
  const answers = await Promise.all([raw(body), raw(body)]);
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).toContain("allowed ");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  }
  const resolved = (await daemon.api.log("double")).filter(({ type }) => type === "permission.resolved");
  expect(resolved).toHaveLength(1);
  // And once more, when the turn is long over.
  expect(await raw(body)).toMatchObject({ status: 200 });
});

test("a page that goes away in the middle ends nothing", async () => {
  await open("gone");
  const leave = new AbortController();
  const said = { role: "user", parts: [{ type: "text", text: "slow 800" }] };
  const { body } = await fetch(`${daemon.api.baseUrl}/ui`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "gone", messages: [said] }),
    signal: leave.signal,
  });
  await body?.getReader().read();
  leave.abort();
  const { data } = await watch("gone").until("turn.ended");
  expect(data.status).toBe("completed");
});

test("a plan is approved by a word, or by a data-answer", async () => {
  const chat = await open("planned", { permissionMode: "plan" });
  await chat.sendMessage({ text: "plan" });
  const [asked] = dataOf(chat.lastMessage, "data-question") as { kind: string; questions: { body: string }[] }[];
  expect(asked).toMatchObject({ kind: "plan_approval", questions: [{ body: expect.stringContaining("look around") }] });
  await chat.sendMessage({ text: "approve" });
  expect(textOf(chat.lastMessage)).toContain("The plan is done.");
  expect(chat.messages.flatMap((message) => dataOf(message, "data-question"))).toHaveLength(1);
});

test("an interrupted turn ends its stream without an error", async () => {
  const chat = await open("interrupted");
  const running = chat.sendMessage({ text: "slow 60000" });
  await watch("interrupted").until("item.delta");
  await daemon.api.post("/sessions/interrupted/interrupt", {});
  await running;
  expect(chat.error).toBeUndefined();
  expect(chat.lastMessage?.metadata).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
});

test("a message sent twice under its id is said once", async () => {
  await open("twice");
  const body = { id: "twice", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "echo once" }] }] };
  const [first, second] = [await raw(body), await raw(body)];
  expect(first.text).toBe(second.text);
  expect(first.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  expect(first.text.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("a file is an attachment; one that lies elsewhere is refused", async () => {
  const chat = await open("file");
  const file = { type: "file", mediaType: "image/png", filename: "a.png" } as const;
  await chat.sendMessage({ text: "echo with a file", files: [{ ...file, url: "data:image/png;base64,iVBORw0KGgo=" }] });
  expect(dataOf(chat.lastMessage, "data-status")).toContainEqual(expect.objectContaining({ label: "file received" }));
  const elsewhere = { ...file, url: "https://example.com/a.png" };
  const parts = [{ type: "text", text: "hello" }, elsewhere];
  expect(await raw({ id: "file", messages: [{ role: "user", parts }] })).toMatchObject({ status: 400 });
});

test("what cannot be done is a problem, and unknown fields are not", async () => {
  await open("wrong");
  const said = { role: "user", parts: [{ type: "text", text: "echo hi" }] };
  const cases: [object, number, string][] = [
    [{ id: "wrong", messages: [said], trigger: "regenerate-message" }, 400, "invalid_request"],
    [{ id: "wrong", messages: [] }, 400, "invalid_request"],
    [{ id: "wrong", messages: [{ role: "assistant", parts: [] }] }, 400, "invalid_request"],
    [{ id: "wrong", messages: [{ role: "user", parts: [] }] }, 400, "invalid_request"],
    [{ id: "nobody", messages: [said] }, 404, "session_not_found"],
  ];
  for (const [body, status, code] of cases) {
    const answer = await raw(body);
    expect({ status: answer.status, code: JSON.parse(answer.text).code }).toEqual({ status, code });
  }
  const fine = { id: "wrong", messages: [7, said], trigger: "submit-message", messageId: "x", theme: "dark" };
  expect(await raw(fine)).toMatchObject({ status: 200 });
  const chat = chatOn(daemon.api.baseUrl, "wrong");
  await chat.sendMessage({ text: "permission touch a" });
  expect(await raw({ id: "wrong", messages: [said] })).toMatchObject({ status: 409 });
});

async function open(sessionId: string, settings: object = {}, body: object = {}): Promise<UiChat> {
  await daemon.api.post(`/sessions/${sessionId}`, { agent: "mock", directory: home.path, ...settings });
  return chatOn(daemon.api.baseUrl, sessionId, body);
}

/** Another reader of the session, from its first event on. */
function watch(sessionId: string): Conversation {
  const talk = new Conversation(daemon.api, sessionId);
  onTestFinished(() => talk.leave());
  return talk;
}

async function raw(body: object): Promise<{ status: number; headers: Headers; text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${daemon.api.baseUrl}/ui`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function dataOf(message: UIMessage | undefined, type: `data-${string}`): unknown[] {
  return message?.parts.flatMap((part) => (part.type === type && "data" in part ? [part.data] : [])) ?? [];
}

function withoutSteps(message: UIMessage | undefined) {
  return message?.parts.filter(({ type }) => type !== "step-start");
}
