import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parts, type Talk } from "../agent-home.ts";
import { CodebuffHome, terminal } from "./codebuff-home.ts";

const { codebuff, test } = await CodebuffHome.forFile();

const answer = ({ talk }: Talk, questionId: string, body: Record<string, unknown>) =>
  codebuff.daemon.api.post(`${talk.path}/questions/${questionId}/reply`, body);
const tool = (name: string, input: Record<string, unknown>) => ({ name, native: true, input });

test("a permission belongs to its call, and one given for always is asked for only once", async () => {
  const session = await codebuff.begin([
    { tools: [terminal("touch one.txt")] },
    { tools: [terminal("touch one.txt")] },
    { text: "Done." },
  ]);
  const { messageId } = await session.talk.send("make it twice");
  const asked = await session.talk.until("permission.requested");
  const call = await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  expect(asked.data).toMatchObject({
    itemId: call.data.item.itemId,
    action: "execute",
    detail: { command: "touch one.txt" },
    alwaysScope: [{ action: "execute", pattern: "touch one.txt" }],
  });
  await codebuff.reply(session, asked.data.permissionId, "always");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.resolved").map(({ by }) => by)).toEqual(["user", "rule"]);
  expect(existsSync(join(session.directory, "one.txt"))).toBe(true);
  await codebuff.finish(session);
});

test("an edit is asked for with its difference; a rejection is told to the model and the turn goes on", async () => {
  const session = await codebuff.begin([
    { tools: [tool("write_file", { path: "x.txt", instructions: "x", content: "x\n" })] },
    { text: "Then not." },
  ]);
  const { messageId } = await session.talk.send("write");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({ action: "edit", detail: { diff: expect.stringContaining("+x") } });
  await codebuff.reply(session, asked.data.permissionId, "reject");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Then not.");
  expect(parts(turn.of("item.completed"), "tool_result")).toMatchObject([{ isError: true }]);
  const call = turn.of("item.completed").find(({ item }) => item.kind === "tool_call");
  expect(call?.item.status).toBe("cancelled");
  expect(existsSync(join(session.directory, "x.txt"))).toBe(false);
  await codebuff.finish(session);
});

test("acceptEdits lets edits inside the directory pass, and asks for commands", async () => {
  const session = await codebuff.begin(
    [
      { tools: [tool("write_file", { path: "x.txt", instructions: "x", content: "x\n" })] },
      { tools: [terminal("touch y.txt")] },
      { text: "Done." },
    ],
    { permissionMode: "acceptEdits" },
  );
  const { messageId } = await session.talk.send("write");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data.action).toBe("execute");
  expect(existsSync(join(session.directory, "x.txt"))).toBe(true);
  await codebuff.reply(session, asked.data.permissionId, "once");
  expect((await session.talk.turnOf(messageId)).end.status).toBe("completed");
  await codebuff.finish(session);
});

test("a plan waits for approval; approved, it is carried out and the mode is default", async () => {
  const session = await codebuff.begin(
    [
      { text: "<PLAN>\n1. make x\n</PLAN>" },
      { tools: [tool("write_file", { path: "x.txt", instructions: "x", content: "x\n" })] },
      { text: "Made." },
    ],
    { agentMode: "plan", permissionMode: "plan" },
  );
  const { messageId } = await session.talk.send("plan it");
  const asked = await session.talk.until("question.requested");
  expect(asked.data).toMatchObject({
    kind: "plan_approval",
    questions: [{ body: expect.stringContaining("1. make x") }],
  });
  await answer(session, asked.data.questionId, { answers: [["approve_edits"]] });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end.status).toBe("completed");
  expect(existsSync(join(session.directory, "x.txt"))).toBe(true);
  expect(await session.talk.view()).toMatchObject({ agentMode: "default", permissionMode: "acceptEdits" });
  await codebuff.finish(session);
});

test("a sub-agent is a status below its call, and what it says and does lies below that", async () => {
  const agents = [{ agent_type: "researcher", prompt: "the errand" }];
  const session = await codebuff.beginWith({
    conversations: [
      { match: { user: "the errand" }, turns: [{ text: "Errand done." }] },
      { turns: [{ tools: [tool("spawn_agents", { agents })] }, { text: "It came back." }] },
    ],
  });
  const { messageId } = await session.talk.send("send somebody");
  const turn = await session.talk.turnOf(messageId);
  const items = turn.of("item.completed").map(({ item }) => item);
  const call = items.find(({ kind }) => kind === "tool_call");
  const child = items.find(({ kind, parentId }) => kind === "status" && parentId === call?.itemId);
  expect(child).toBeDefined();
  const said = items.filter(({ parentId }) => parentId === child?.itemId).flatMap(({ content }) => content);
  expect(said).toContainEqual({ type: "text", text: "Errand done." });
  expect(turn.text).toContain("It came back.");
  await codebuff.finish(session);
});

test("todos are a plan", async () => {
  const todos = [
    { task: "look", completed: true },
    { task: "edit", completed: false },
  ];
  const session = await codebuff.begin([{ tools: [tool("write_todos", { todos })] }, { text: "All done." }]);
  const turn = await session.talk.say("work");
  expect(turn.of("plan.updated")).toEqual([
    {
      entries: [
        { content: "look", status: "completed" },
        { content: "edit", status: "pending" },
      ],
    },
  ]);
  await codebuff.finish(session);
});

test("model and mode change while it runs, the system prompt is appended, pictures are seen", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const session = await codebuff.begin([{ text: "One." }, { text: "Two." }], {
    systemPrompt: "Always mention herons.",
  });
  const attachments = [{ data: png, mime: "image/png", filename: "dot.png" }];
  await session.talk.say("look", { attachments });
  const seen = JSON.stringify(session.llm.requests()[0]?.body);
  expect(seen).toContain("Always mention herons.");
  expect(seen).toContain(png.slice(0, 40));
  const pid = codebuff.processOf(session);
  await codebuff.daemon.api.ask("PATCH", session.talk.path, { model: "claude-haiku-4-5", permissionMode: "bypass" });
  await session.talk.say("again");
  expect(JSON.stringify(session.llm.requests()[1]?.body)).toContain("haiku");
  expect(codebuff.processOf(session)).toBe(pid);
  await codebuff.finish(session);
});

test("a key the provider refuses is the cause of the turn's end, and the session lives on", async () => {
  const session = await codebuff.begin([{ fault: { kind: "status", status: 401 } }, { text: "Better." }]);
  expect((await session.talk.say("hello")).end).toMatchObject({ status: "failed", cause: "auth_failed" });
  expect((await session.talk.say("and now?")).text).toBe("Better.");
  await session.talk.finish();
});

test("without any key the session is unhealthy and says so", async () => {
  const { daemon } = codebuff;
  const directory = await codebuff.directory();
  const created = await daemon.api.post<{ healthy: boolean; error?: { type: string } }>("/sessions/no-key", {
    agent: "codebuff",
    directory,
  });
  expect(created).toMatchObject({ healthy: false, error: { type: "token_error" } });
});

test("models and modes are listed", async () => {
  const { api } = codebuff.daemon;
  const { models } = await api.get<{ models: { id: string }[] }>("/agents/codebuff/models");
  expect(models.length).toBeGreaterThan(0);
  const { modes } = await api.get<{ modes: { id: string }[] }>("/agents/codebuff/modes");
  expect(modes.map(({ id }) => id)).toEqual(["default", "free", "max", "plan"]);
});
