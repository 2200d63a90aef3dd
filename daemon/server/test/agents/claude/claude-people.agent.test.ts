import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { parts, type Talk } from "../agent-home.ts";
import { bash, ClaudeHome } from "./claude-home.ts";

const { claude, test } = await ClaudeHome.forFile();

const reply = ({ talk }: Talk, permissionId: string, body: Record<string, unknown>) =>
  claude.daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, body);
const answer = ({ talk }: Talk, questionId: string, body: Record<string, unknown>) =>
  claude.daemon.api.post(`${talk.path}/questions/${questionId}/reply`, body);

test("a permission given once is asked for again", async () => {
  const session = await claude.begin([
    { tools: [bash("touch one.txt")] },
    { tools: [bash("touch one.txt")] },
    { text: "Twice." },
  ]);
  const { messageId } = await session.talk.send("make it twice");
  const first = await session.talk.until("permission.requested");
  expect(first.data).toMatchObject({
    action: "execute",
    detail: { command: "touch one.txt" },
    alwaysScope: [{ action: "execute", pattern: "touch one.txt" }],
  });
  await reply(session, first.data.permissionId, { reply: "once" });
  const second = await session.talk.until("permission.requested", () => true, first.sequence);
  await reply(session, second.data.permissionId, { reply: "once" });
  expect((await session.talk.turnOf(messageId)).text).toBe("Twice.");
  expect(existsSync(join(session.directory, "one.txt"))).toBe(true);
  await claude.finish(session);
});

test("a permission given for always is asked for only once, and nothing is written into the directory", async () => {
  const session = await claude.begin([
    { tools: [bash("touch one.txt")] },
    { tools: [bash("touch one.txt")] },
    { tools: [bash("touch other.txt")] },
    { text: "Done." },
  ]);
  const { messageId } = await session.talk.send("make it twice");
  const first = await session.talk.until("permission.requested");
  await reply(session, first.data.permissionId, { reply: "always" });
  const other = await session.talk.until("permission.requested", ({ title }) => title.includes("other"));
  await reply(session, other.data.permissionId, { reply: "once" });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.resolved").map(({ by }) => by)).toEqual(["user", "rule", "user"]);
  expect(existsSync(join(session.directory, ".claude"))).toBe(false);
  expect(await session.talk.view()).toMatchObject({ permissionMode: "default" });
  await claude.finish(session);
});

test("a rejected permission tells the model why, and the turn goes on", async () => {
  const session = await claude.begin([
    { tools: [{ name: "Write", native: true, input: { file_path: "/nowhere/x.txt", content: "x\n" } }] },
    { expect: { toolResult: "not in that folder" }, text: "Then not." },
  ]);
  const { messageId } = await session.talk.send("write");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({
    action: "edit",
    detail: { paths: ["/nowhere/x.txt"], diff: "--- a//nowhere/x.txt\n+++ b//nowhere/x.txt\n@@ -0,0 +1,1 @@\n+x\n" },
  });
  await reply(session, asked.data.permissionId, { reply: "reject", message: "not in that folder" });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Then not.");
  expect(parts(turn.of("item.completed"), "tool_result")).toMatchObject([{ isError: true }]);
  expect(turn.end.status).toBe("completed");
  await claude.finish(session);
});

test("with acceptEdits an edit in the directory passes, a command that reaches out of it is asked for", async () => {
  const directory = await claude.directory();
  const session = await claude.begin(
    [
      { tools: [{ name: "Write", native: true, input: { file_path: join(directory, "x.txt"), content: "x\n" } }] },
      { tools: [bash("touch /tmp/muster-claude-test-never")] },
      { text: "Done." },
    ],
    { directory, permissionMode: "acceptEdits" },
  );
  const { messageId } = await session.talk.send("write and reach");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data.detail?.command).toContain("touch");
  await reply(session, asked.data.permissionId, { reply: "reject" });
  await session.talk.turnOf(messageId);
  expect(await readFile(join(directory, "x.txt"), "utf8")).toBe("x\n");
  await claude.finish(session);
});

test("two questions are asked and answered, one with several choices, one with own words", async () => {
  const questions = [
    {
      question: "Which color?",
      header: "Color",
      multiSelect: false,
      options: [
        { label: "Red", description: "The red one" },
        { label: "Blue", description: "The blue one" },
      ],
    },
    {
      question: "Which extras?",
      header: "Extras",
      multiSelect: true,
      options: [
        { label: "Tests", description: "Add tests" },
        { label: "Docs", description: "Add docs" },
      ],
    },
  ];
  const session = await claude.begin([
    { tools: [{ name: "AskUserQuestion", native: true, input: { questions } }] },
    { expect: { toolResult: ['"Which color?"="mauve"', '"Which extras?"="Tests, Docs"'] }, text: "Thank you." },
  ]);
  const { messageId } = await session.talk.send("ask me");
  const asked = await session.talk.until("question.requested");
  expect(asked.data).toMatchObject({ kind: "question", questions: [{ multiSelect: false }, { multiSelect: true }] });
  await answer(session, asked.data.questionId, { answers: [["mauve"], ["Tests", "Docs"]] });
  expect((await session.talk.turnOf(messageId)).text).toBe("Thank you.");
  await claude.finish(session);
});

test("a question can be declined", async () => {
  const options = [
    { label: "A", description: "a" },
    { label: "B", description: "b" },
  ];
  const questions = [{ question: "Which?", header: "Which", multiSelect: false, options }];
  const session = await claude.begin([
    { tools: [{ name: "AskUserQuestion", native: true, input: { questions } }] },
    { expect: { toolResult: "ask me later" }, text: "Later then." },
  ]);
  const { messageId } = await session.talk.send("ask me");
  const asked = await session.talk.until("question.requested");
  await claude.daemon.api.post(`${session.talk.path}/questions/${asked.data.questionId}/reject`, {
    message: "ask me later",
  });
  expect((await session.talk.turnOf(messageId)).text).toBe("Later then.");
  await claude.finish(session);
});

const planned = (directory: string) => [
  { tools: [{ name: "ExitPlanMode", native: true, input: { plan: "1. write it" } }] },
  { tools: [{ name: "Write", native: true, input: { file_path: join(directory, "planned.txt"), content: "x\n" } }] },
  { text: "Planned and done." },
];

test("an approved plan is followed, and its edits are asked for", async () => {
  const directory = await claude.directory();
  const session = await claude.begin(planned(directory), { directory, agentMode: "plan" });
  const { messageId } = await session.talk.send("plan it");
  const asked = await session.talk.until("question.requested");
  expect(asked.data).toMatchObject({
    kind: "plan_approval",
    questions: [{ body: "1. write it", options: [{ id: "approve" }, { id: "approve_edits" }, { id: "reject" }] }],
  });
  expect(await session.talk.view()).toMatchObject({ permissionMode: "plan", agentMode: "plan" });
  await answer(session, asked.data.questionId, { answers: [["approve"]] });
  const permission = await session.talk.until("permission.requested");
  await reply(session, permission.data.permissionId, { reply: "once" });
  const turn = await session.talk.turnOf(messageId);
  expect(parts(turn.of("item.completed"), "plan")).toEqual([{ type: "plan", text: "1. write it" }]);
  expect(existsSync(join(directory, "planned.txt"))).toBe(true);
  expect(await session.talk.view()).toMatchObject({ permissionMode: "default", agentMode: "build" });
  await claude.finish(session);
});

test("a plan approved with its edits is followed without a further question", async () => {
  const directory = await claude.directory();
  const session = await claude.begin(planned(directory), { directory, permissionMode: "plan" });
  const { messageId } = await session.talk.send("plan it");
  const asked = await session.talk.until("question.requested");
  await answer(session, asked.data.questionId, { answers: [["approve_edits"]] });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.requested")).toEqual([]);
  expect(existsSync(join(directory, "planned.txt"))).toBe(true);
  expect(await session.talk.view()).toMatchObject({ permissionMode: "acceptEdits" });
  await claude.finish(session);
});

test("a rejected plan goes back with its feedback, and until approval nothing may change", async () => {
  const directory = await claude.directory();
  const session = await claude.begin(
    [
      { tools: [{ name: "ExitPlanMode", native: true, input: { plan: "1. write it" } }] },
      {
        expect: { toolResult: "make it shorter" },
        tools: [{ name: "Write", native: true, input: { file_path: join(directory, "planned.txt"), content: "x\n" } }],
      },
      { text: "Still planning." },
    ],
    { directory, permissionMode: "plan" },
  );
  const { messageId } = await session.talk.send("plan it");
  const asked = await session.talk.until("question.requested");
  await answer(session, asked.data.questionId, { answers: [["reject", "make it shorter"]] });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.resolved")).toMatchObject([{ decision: "reject", by: "agent" }]);
  expect(existsSync(join(directory, "planned.txt"))).toBe(false);
  expect(await session.talk.view()).toMatchObject({ permissionMode: "plan" });
  await claude.finish(session);
});

const interrupt = ({ talk }: Talk) => claude.daemon.api.post(`${talk.path}/interrupt`);

test("an interrupt stops the text, and the session goes on", async () => {
  const session = await claude.begin([
    { text: "word ".repeat(200), pace: { chars: 5, delayMs: 50 } },
    { text: "After." },
  ]);
  const { messageId } = await session.talk.send("talk");
  await session.talk.until("item.delta");
  const pid = await claude.processOf(session);
  await interrupt(session);
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({
    status: "interrupted",
    cause: "interrupted_by_user",
  });
  expect((await session.talk.say("again")).text).toBe("After.");
  expect(await claude.processOf(session)).toBe(pid);
  await claude.finish(session);
});

test("an interrupt stops a running tool and its process", async () => {
  const session = await claude.begin([{ tools: [bash("tail -f /dev/null")] }, { text: "After." }], {
    permissionMode: "bypass",
  });
  const { messageId } = await session.talk.send("wait");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const pid = await claude.processOf(session);
  const commands = () => claude.home.agents().filter((agent) => agent !== pid).length;
  await expect.poll(commands, { timeout: 20_000 }).toBeGreaterThan(0);
  await interrupt(session);
  expect((await session.talk.turnOf(messageId)).end.status).toBe("interrupted");
  expect((await session.talk.say("again")).text).toBe("After.");
  await expect.poll(commands, { timeout: 20_000 }).toBe(0);
  await claude.finish(session);
});

test("an interrupt with a permission pending cancels the permission", async () => {
  // Refused, Claude may have asked its model again before it hears of the interrupt: that answer is heard by nobody.
  const after = { text: "After." };
  const session = await claude.begin([{ tools: [bash("touch never.txt")] }, after, after]);
  const { messageId } = await session.talk.send("make it");
  const asked = await session.talk.until("permission.requested");
  await interrupt(session);
  const turn = await session.talk.turnOf(messageId);
  expect(turn.end.status).toBe("interrupted");
  expect(turn.of("permission.resolved")).toMatchObject([{ decision: "cancelled" }]);
  const late = await claude.daemon.api.request(
    "POST",
    `${session.talk.path}/permissions/${asked.data.permissionId}/reply`,
    {
      reply: "once",
    },
  );
  expect(late.status).toBe(409);
  expect((await session.talk.say("again")).text).toBe("After.");
  expect(existsSync(join(session.directory, "never.txt"))).toBe(false);
  await claude.finish(session);
});
