import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Conversation } from "@muster/conformance";
import { afterAll, beforeAll, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { OpencodeDaemon } from "./opencode-home.ts";

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
const run = (command: string) => call("run_command", { command });
const questions = [
  {
    question: "Which color?",
    header: "Color",
    options: [
      { label: "Red", description: "warm" },
      { label: "Blue", description: "cool" },
    ],
  },
  {
    question: "Which sizes?",
    header: "Sizes",
    options: [
      { label: "S", description: "small" },
      { label: "L", description: "large" },
    ],
    multiple: true,
  },
];

const { program, test: it } = await testsOf("opencode");
let opencode: OpencodeDaemon;
beforeAll(async () => {
  if (program === undefined) return;
  opencode = await OpencodeDaemon.start([
    { match: { firstUser: "run it once" }, turns: [{ tools: [run("echo one > one.txt")] }, { text: "Ran." }] },
    {
      match: { firstUser: "run it always" },
      turns: [
        { tools: [run("echo always")] },
        { tools: [run("echo always")] },
        { tools: [run("echo other")] },
        { text: "Ran." },
      ],
    },
    {
      match: { firstUser: "run it never" },
      turns: [
        { tools: [run("echo never > never.txt")] },
        { expect: { toolResult: "use another way" }, text: "I go on." },
      ],
    },
    {
      match: { firstUser: "run two" },
      turns: [{ tools: [run("echo first"), run("echo second")] }, { text: "Both are known." }],
    },
    {
      match: { firstUser: "let another do it" },
      turns: [
        { tools: [call("subagent", { prompt: "work below: make below.txt" })] },
        { text: "It is done.", times: "always" },
      ],
    },
    {
      match: { firstUser: "work below" },
      turns: [{ text: "Below.", tools: [run("echo below > below.txt")] }, { text: "Made." }],
    },
    {
      match: { firstUser: "ask me" },
      turns: [{ tools: [call("ask_question", { questions })] }, { expect: { toolResult: "Blue" }, text: "Thanks." }],
    },
    {
      match: { firstUser: "ask in vain" },
      turns: [
        { tools: [call("ask_question", { questions })] },
        { expect: { toolResult: "dismissed" }, text: "Without an answer, then." },
        { text: "Yes." },
      ],
    },
    {
      match: { firstUser: "ask and go" },
      turns: [{ tools: [run("echo waiting")] }, { text: "After all." }, { text: "Still here." }],
    },
    {
      match: { firstUser: "use the other server" },
      turns: [
        { tools: [{ name: "demo_echo", native: true, input: { text: "hi" } }] },
        { expect: { toolResult: "echo: hi" }, text: "It said hi." },
      ],
    },
    {
      match: { firstUser: "write and run" },
      turns: [
        { tools: [call("write_file", { path: "w.txt", content: "w" })] },
        { tools: [run("echo ran")] },
        { text: "Done." },
      ],
    },
  ]);
});
afterAll(async () => {
  if (program === undefined) return;
  await opencode.remove();
});

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function reply(talk: Conversation, answer: object, nth = 0): Promise<string> {
  const { data } = await talk.until(
    "permission.requested",
    ({ permissionId }) => permissionId === `permission_${nth + 1}`,
  );
  await opencode.daemon.api.post(`${talk.path}/permissions/${data.permissionId}/reply`, answer);
  return data.title;
}

it("a command waits for a person and runs once it is allowed", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory });
  const { messageId } = await talk.send("run it once");
  const { data } = await talk.until("permission.requested");
  expect(data).toMatchObject({ action: "execute", title: "Run echo one > one.txt", detail: { directory } });
  expect(await exists(join(directory, "one.txt"))).toBe(false);
  await reply(talk, { reply: "once" });
  expect((await talk.turnOf(messageId)).text).toBe("Ran.");
  expect(await readFile(join(directory, "one.txt"), "utf8")).toBe("one\n");
  await talk.finish();
});

it("always is for the same command of the same session, and other sessions in the same directory are asked", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory });
  const { messageId } = await talk.send("run it always");
  await reply(talk, { reply: "always" });
  expect(await reply(talk, { reply: "once" }, 2)).toBe("Run echo other");
  const turn = await talk.turnOf(messageId);
  expect(turn.of("permission.resolved").map(({ by }) => by)).toEqual(["user", "rule", "user"]);
  const other = await opencode.open({ directory });
  const sent = await other.send("run it always");
  for (const nth of [0, 1, 2]) await reply(other, { reply: "once" }, nth);
  const asked = (await other.turnOf(sent.messageId)).of("permission.resolved");
  expect(asked.map(({ by }) => by)).toEqual(["user", "user", "user"]);
  await talk.finish();
  await other.finish();
});

it("after a rejection the turn goes on and the model knows why", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory });
  const { messageId } = await talk.send("run it never");
  await reply(talk, { reply: "reject", message: "use another way" });
  const turn = await talk.turnOf(messageId);
  expect(turn.end.status).toBe("completed");
  expect(turn.text).toBe("I go on.");
  expect(await exists(join(directory, "never.txt"))).toBe(false);
  await talk.finish();
});

it("a rejection without words does not end the turn either", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("run it once");
  await reply(talk, { reply: "reject" });
  expect(await talk.turnOf(messageId)).toMatchObject({ text: "Ran.", end: { status: "completed" } });
  await talk.finish();
});

it("of two that wait, a rejection of one leaves every request resolved once", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("run two");
  await talk.until("permission.requested", ({ permissionId }) => permissionId === "permission_2");
  await reply(talk, { reply: "reject" });
  const turn = await talk.turnOf(messageId);
  expect(turn.of("permission.resolved")).toHaveLength(2);
  expect(turn.text).toBe("Both are known.");
  await talk.finish();
});

it("a sub-agent asks too, and what it does is nested in its call", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory });
  const { messageId } = await talk.send("let another do it");
  const { data } = await talk.until("permission.requested");
  expect(data.title).toBe("Run echo below > below.txt");
  expect(await exists(join(directory, "below.txt"))).toBe(false);
  await reply(talk, { reply: "once" });
  const turn = await talk.turnOf(messageId);
  expect(turn.end.status).toBe("completed");
  const items = turn.of("item.completed").map(({ item }) => item);
  const task = items.find(({ content }) => content.some((part) => part.type === "tool_call" && part.name === "task"));
  const below = items.filter(({ parentId }) => parentId !== undefined);
  expect(new Set(below.map(({ parentId }) => parentId))).toEqual(new Set([task?.itemId]));
  expect(below.map(({ kind }) => kind)).toEqual(["message", "tool_call", "tool_result", "message"]);
  expect(await readFile(join(directory, "below.txt"), "utf8")).toBe("below\n");
  await talk.finish();
});

it("a question is answered and the model hears it", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("ask me");
  const { data } = await talk.until("question.requested");
  expect(data.questions).toMatchObject([
    { question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }], multiSelect: false },
    { question: "Which sizes?", multiSelect: true },
  ]);
  await opencode.daemon.api.post(`${talk.path}/questions/${data.questionId}/reply`, {
    answers: [["Blue"], ["S", "L"]],
  });
  expect(await talk.turnOf(messageId)).toMatchObject({ text: "Thanks.", end: { status: "completed" } });
  await talk.finish();
});

it("after a question that a person declines the turn goes on", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("ask in vain");
  const { data } = await talk.until("question.requested");
  await opencode.daemon.api.post(`${talk.path}/questions/${data.questionId}/reject`, {});
  const turn = await talk.turnOf(messageId);
  expect(turn).toMatchObject({ text: "Without an answer, then.", end: { status: "completed" } });
  expect(turn.of("question.resolved")).toMatchObject([{ status: "rejected" }]);
  expect((await talk.say("and now")).text).toBe("Yes.");
  await talk.finish();
});

it("an interrupt while a permission is asked cancels it, ends the turn, and the next message works", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("ask and go");
  await talk.until("permission.requested");
  await opencode.daemon.api.post(`${talk.path}/interrupt`, {});
  const turn = await talk.turnOf(messageId);
  expect(turn.end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
  expect(turn.of("permission.resolved")).toMatchObject([{ decision: "cancelled" }]);
  expect((await talk.say("and now")).end.status).toBe("completed");
  expect(talk.events.filter(({ type }) => type === "session.ended")).toEqual([]);
  await talk.finish();
});

it("an interrupt while a sub-agent asks ends both, and the next message works", async () => {
  const talk = await opencode.open();
  const { messageId } = await talk.send("let another do it");
  await talk.until("permission.requested");
  await opencode.daemon.api.post(`${talk.path}/interrupt`, {});
  const turn = await talk.turnOf(messageId);
  expect(turn.end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
  expect(turn.of("permission.resolved")).toMatchObject([{ decision: "cancelled" }]);
  expect((await talk.say("and now")).end.status).toBe("completed");
  await talk.finish();
});

it("acceptEdits lets files pass and asks for commands", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory, permissionMode: "acceptEdits" });
  const { messageId } = await talk.send("write and run");
  expect(await reply(talk, { reply: "once" })).toBe("Run echo ran");
  expect((await talk.turnOf(messageId)).of("permission.requested")).toHaveLength(1);
  expect(await readFile(join(directory, "w.txt"), "utf8")).toBe("w");
  await talk.finish();
});

it("plan lets nothing change and asks nobody", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory, permissionMode: "plan" });
  const turn = await talk.say("write and run");
  expect(turn.end.status).toBe("completed");
  expect(turn.of("permission.resolved").map(({ decision, by }) => `${decision} ${by}`)).toEqual([
    "reject agent",
    "reject agent",
  ]);
  expect(await exists(join(directory, "w.txt"))).toBe(false);
  await talk.finish();
});

it("the tools of an MCP server ask, and always is for that tool", async () => {
  const program = fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url));
  const talk = await opencode.open({ mcp: { demo: { command: process.execPath, args: [program] } } });
  const { messageId } = await talk.send("use the other server");
  const { data } = await talk.until("permission.requested");
  expect(data).toMatchObject({ action: "mcp", alwaysScope: [{ action: "mcp", pattern: "demo_echo" }] });
  await reply(talk, { reply: "once" });
  expect((await talk.turnOf(messageId)).text).toBe("It said hi.");
  await talk.finish();
});

it("a project whose agents would not ask is opened only without permissions", async () => {
  const directory = await opencode.directory();
  const agent = { eager: { mode: "subagent", description: "Does it at once", permission: { bash: "allow" } } };
  await writeFile(join(directory, "opencode.json"), JSON.stringify({ agent }));
  const careful = await opencode.open({ directory });
  expect(await careful.view()).toMatchObject({ healthy: false, error: { type: "unsupported" } });
  const bold = await opencode.open({ directory, permissionMode: "bypass" });
  expect((await bold.say("run it once")).text).toBe("Ran.");
  await careful.finish();
  await bold.finish();
});
