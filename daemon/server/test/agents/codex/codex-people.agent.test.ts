import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parts } from "../agent-home.ts";
import { CodexHome, run } from "./codex-home.ts";

const { codex, test } = await CodexHome.forFile();

test("a command that was allowed once is asked for again", async () => {
  const session = await codex.begin([
    { tools: [run("touch one.txt")] },
    { tools: [run("touch one.txt")] },
    { text: "Twice." },
  ]);
  const { messageId } = await session.talk.send("make it twice");
  const first = await session.talk.until("permission.requested");
  expect(first.data).toMatchObject({
    action: "execute",
    title: "Run touch one.txt",
    detail: { command: "touch one.txt", directory: session.directory },
    alwaysScope: [{ action: "execute", pattern: "touch one.txt" }],
  });
  expect(await session.talk.view()).toMatchObject({ state: "waiting", pendingRequests: 1 });
  await codex.reply(session, first.data.permissionId, "once");
  const second = await session.talk.until("permission.requested", () => true, first.sequence);
  await codex.reply(session, second.data.permissionId, "once");
  expect((await session.talk.turnOf(messageId)).text).toBe("Twice.");
  expect(existsSync(join(session.directory, "one.txt"))).toBe(true);
  await codex.finish(session);
});

test("a command that was allowed for the session is asked for only once, another one is asked for", async () => {
  const session = await codex.begin([
    { tools: [run("touch one.txt")] },
    { tools: [run("touch one.txt")] },
    { tools: [run("touch one.txt other.txt")] },
    { text: "Done." },
  ]);
  const { messageId } = await session.talk.send("make it");
  const first = await session.talk.until("permission.requested");
  await codex.reply(session, first.data.permissionId, "always");
  const other = await session.talk.until("permission.requested", ({ title }) => title.includes("other"));
  await codex.reply(session, other.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.of("permission.resolved").map(({ by }) => by)).toEqual(["user", "rule", "user"]);
  // Codex itself was told nothing that outlives the answer.
  expect(existsSync(join(codex.home.dataDirectory, "homes", "codex", "rules"))).toBe(false);
  await codex.finish(session);
});

test("a command that was declined does not run, the model is told and the turn goes on", async () => {
  const session = await codex.begin([
    { tools: [run("touch never.txt")] },
    { expect: { toolResult: "/rejected|denied|declined/i" }, text: "Then not." },
  ]);
  const { messageId } = await session.talk.send("make it");
  const asked = await session.talk.until("permission.requested");
  await codex.reply(session, asked.data.permissionId, "reject");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Then not.");
  expect(turn.end.status).toBe("completed");
  expect(parts(turn.of("item.completed"), "tool_result")).toMatchObject([{ isError: true }]);
  expect(existsSync(join(session.directory, "never.txt"))).toBe(false);
  await codex.finish(session);
});

test("a file change that was declined changes nothing", async () => {
  const session = await codex.begin([
    { tools: [{ name: "write_file", input: { path: "never.txt", content: "x\n" } }] },
    { text: "Then not." },
  ]);
  const { messageId } = await session.talk.send("write");
  const asked = await session.talk.until("permission.requested");
  await codex.reply(session, asked.data.permissionId, "reject");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Then not.");
  expect(parts(turn.of("item.completed"), "file")).toEqual([]);
  expect(existsSync(join(session.directory, "never.txt"))).toBe(false);
  await codex.finish(session);
});

test("with acceptEdits edits inside the directory pass; commands and edits outside are asked for", async () => {
  const outside = await codex.directory();
  const session = await codex.begin(
    [
      { tools: [{ name: "write_file", input: { path: "inside.txt", content: "x\n" } }] },
      { tools: [{ name: "write_file", input: { path: join(outside, "outside.txt"), content: "x\n" } }] },
      { tools: [run("touch command.txt")] },
      { text: "Done." },
    ],
    { permissionMode: "acceptEdits" },
  );
  const { messageId } = await session.talk.send("write");
  const edit = await session.talk.until("permission.requested");
  expect(edit.data).toMatchObject({ action: "edit", detail: { paths: [join(outside, "outside.txt")] } });
  expect(existsSync(join(session.directory, "inside.txt"))).toBe(true);
  await codex.reply(session, edit.data.permissionId, "reject");
  const command = await session.talk.until("permission.requested", () => true, edit.sequence);
  expect(command.data.action).toBe("execute");
  await codex.reply(session, command.data.permissionId, "once");
  await session.talk.turnOf(messageId);
  expect(existsSync(join(outside, "outside.txt"))).toBe(false);
  await codex.finish(session);
});

test("bypass asks nothing", async () => {
  const session = await codex.begin(
    [
      { tools: [run("touch command.txt")] },
      { tools: [{ name: "write_file", input: { path: "edit.txt", content: "x\n" } }] },
      { text: "Done." },
    ],
    { dangerouslySkipPermissions: true },
  );
  const turn = await session.talk.say("go");
  expect(turn.of("permission.requested")).toEqual([]);
  expect(existsSync(join(session.directory, "command.txt"))).toBe(true);
  expect(existsSync(join(session.directory, "edit.txt"))).toBe(true);
  await codex.finish(session);
});

test("in plan mode nothing changes and a proposed plan is an item", async () => {
  const session = await codex.begin(
    [
      { tools: [run("touch command.txt")] },
      { tools: [{ name: "write_file", input: { path: "edit.txt", content: "x\n" } }] },
      { text: "Here it is.\n<proposed_plan>\n# Plan\n- step one\n</proposed_plan>" },
    ],
    { permissionMode: "plan" },
  );
  const turn = await session.talk.say("plan it");
  expect(parts(turn.of("item.completed"), "plan")).toMatchObject([{ text: "# Plan\n- step one\n" }]);
  expect(turn.of("permission.resolved").every(({ decision, by }) => decision === "reject" && by === "agent")).toBe(
    true,
  );
  expect(existsSync(join(session.directory, "command.txt"))).toBe(false);
  expect(existsSync(join(session.directory, "edit.txt"))).toBe(false);
  expect(turn.end.status).toBe("completed");
  await codex.finish(session);
});

test("a permission mode that is changed while the session rests holds from its next turn on", async () => {
  const session = await codex.begin([
    { tools: [run("touch one.txt")] },
    { text: "One." },
    { tools: [run("touch two.txt")] },
    { text: "Two." },
  ]);
  await codex.daemon.api.ask("PATCH", session.talk.path, { permissionMode: "bypass" });
  const one = await session.talk.say("one");
  expect(one.of("permission.requested")).toEqual([]);
  await codex.daemon.api.ask("PATCH", session.talk.path, { permissionMode: "default" });
  const { messageId } = await session.talk.send("two");
  const asked = await session.talk.until("permission.requested");
  await codex.reply(session, asked.data.permissionId, "once");
  expect((await session.talk.turnOf(messageId)).text).toBe("Two.");
  await codex.finish(session);
});

const question = {
  name: "ask_question",
  input: {
    questions: [
      {
        header: "Color",
        question: "Which color?",
        options: [
          { label: "Red", description: "Warm" },
          { label: "Blue", description: "Cold" },
        ],
      },
    ],
  },
};

test.each([["default"], ["plan"]])("a question in %s mode is answered by a person", async (agentMode) => {
  const session = await codex.begin([{ tools: [question] }, { expect: { toolResult: "Blue" }, text: "Blue it is." }], {
    agentMode,
  });
  const { messageId } = await session.talk.send("ask me");
  const asked = await session.talk.until("question.requested");
  expect(asked.data).toMatchObject({
    kind: "question",
    questions: [{ header: "Color", question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }] }],
  });
  await codex.daemon.api.post(`${session.talk.path}/questions/${asked.data.questionId}/reply`, { answers: [["Blue"]] });
  expect((await session.talk.turnOf(messageId)).text).toBe("Blue it is.");
  await codex.finish(session);
});

test("a question that is rejected is a no to the model, and the turn goes on", async () => {
  const session = await codex.begin([{ tools: [question] }, { text: "Then I decide." }]);
  const { messageId } = await session.talk.send("ask me");
  const asked = await session.talk.until("question.requested");
  await codex.daemon.api.post(`${session.talk.path}/questions/${asked.data.questionId}/reject`, {});
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("Then I decide.");
  expect(turn.of("question.resolved")).toMatchObject([{ status: "rejected" }]);
  await codex.finish(session);
});
