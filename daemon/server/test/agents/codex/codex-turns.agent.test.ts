import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { parts } from "../agent-home.ts";
import { CodexHome, run } from "./codex-home.ts";

const { codex, test } = await CodexHome.forFile();

test("text arrives in pieces that add up to the message, and its tokens are counted", async () => {
  const session = await codex.begin([{ text: ["Hello ", "from ", "the model."], usage: { input: 110, output: 21 } }]);
  const turn = await session.talk.say("hello");
  expect(turn.text).toBe("Hello from the model.");
  expect(
    turn
      .of("item.delta")
      .map(({ delta }) => delta)
      .join(""),
  ).toBe("Hello from the model.");
  expect(turn.end).toMatchObject({ status: "completed", usage: { inputTokens: 110, outputTokens: 21 } });
  expect(await session.talk.view()).toMatchObject({ agentVersion: "0.166.0", model: "gpt-5.5", state: "idle" });
  await codex.finish(session);
});

test("each turn has the tokens of its own, the session has those of all", async () => {
  const session = await codex.begin([
    { text: "One.", usage: { input: 100, output: 10 } },
    { text: "Two.", usage: { input: 200, output: 20, cachedInput: 50, reasoning: 5 } },
  ]);
  expect((await session.talk.say("one")).end.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
  expect((await session.talk.say("two")).end.usage).toMatchObject({
    inputTokens: 200,
    outputTokens: 20,
    cachedInputTokens: 50,
    reasoningTokens: 5,
  });
  expect((await session.talk.view()).usage).toMatchObject({ inputTokens: 300, outputTokens: 30 });
  await codex.finish(session);
});

test("reasoning is an item of its own before the answer", async () => {
  const session = await codex.begin([{ reasoning: ["First I look.", "Then I answer."], text: "42." }], {
    variant: "high",
  });
  const turn = await session.talk.say("think");
  const kinds = turn.of("item.completed").map(({ item }) => item.kind);
  expect(kinds).toEqual(["message", "reasoning", "message"]);
  expect(parts(turn.of("item.completed"), "reasoning").map(({ text }) => text)).toEqual([
    "First I look.",
    "Then I answer.",
  ]);
  expect(session.llm.requests()[0]?.body).toMatchObject({ reasoning: { effort: "high" } });
  await codex.finish(session);
});

test("a command has its output as it runs and its exit code at the end", async () => {
  const session = await codex.begin(
    [{ tools: [run("echo one; sleep 0.4; echo two; exit 3")] }, { expect: { toolResult: "two" }, text: "It failed." }],
    { permissionMode: "bypass" },
  );
  const turn = await session.talk.say("run it");
  expect(parts(turn.of("item.completed"), "tool_call")).toMatchObject([
    { name: "shell", toolKind: "execute", input: { command: "echo one; sleep 0.4; echo two; exit 3" } },
  ]);
  expect(parts(turn.of("item.completed"), "tool_result")).toMatchObject([
    { output: "one\ntwo\n", exitCode: 3, isError: true },
  ]);
  expect(turn.of("item.delta").some(({ part, delta }) => part === "output" && delta.includes("two"))).toBe(true);
  expect(turn.of("permission.requested")).toEqual([]);
  await codex.finish(session);
});

test("a file change that was allowed is written and told with its diff", async () => {
  const directory = await codex.directory();
  await writeFile(join(directory, "greeting.txt"), "hello\n");
  const session = await codex.begin(
    [
      {
        tools: [
          { name: "edit_file", input: { path: "greeting.txt", old: "hello", new: "good morning" } },
          { name: "write_file", input: { path: "new.txt", content: "fresh\n" } },
        ],
      },
      { text: "Done." },
    ],
    { directory },
  );
  const { messageId } = await session.talk.send("change it");
  const edit = await session.talk.until("permission.requested");
  expect(edit.data).toMatchObject({
    action: "edit",
    title: "Edit greeting.txt",
    detail: { paths: ["greeting.txt"] },
    alwaysScope: [{ action: "edit", pattern: "greeting.txt" }],
  });
  expect(edit.data.detail?.diff).toContain("+good morning");
  await codex.reply(session, edit.data.permissionId, "once");
  const add = await session.talk.until("permission.requested", () => true, edit.sequence);
  await codex.reply(session, add.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  const files = parts(turn.of("item.completed"), "file");
  expect(files.map(({ path, action }) => [path, action])).toEqual([
    ["greeting.txt", "patch"],
    ["new.txt", "write"],
  ]);
  expect(files[1]?.diff).toBe("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+fresh\n");
  expect(await readFile(join(directory, "greeting.txt"), "utf8")).toBe("good morning\n");
  expect(await readFile(join(directory, "new.txt"), "utf8")).toBe("fresh\n");
  await codex.finish(session);
});

test("the todo list is told whole each time", async () => {
  const todo = (...statuses: string[]) => ({
    name: "todo",
    input: { items: statuses.map((status, at) => ({ content: `step ${at + 1}`, status })) },
  });
  const session = await codex.begin([
    { tools: [todo("in_progress", "pending")] },
    { tools: [todo("completed", "in_progress")] },
    { text: "Planned." },
  ]);
  const turn = await session.talk.say("plan");
  expect(turn.of("plan.updated").map(({ entries }) => entries.map(({ status }) => status))).toEqual([
    ["in_progress", "pending"],
    ["completed", "in_progress"],
  ]);
  await codex.finish(session);
});

test("a command left in the background is told when it ends, after its turn", async () => {
  const session = await codex.begin(
    [
      { tools: [{ name: "exec_command", native: true, input: { cmd: "sleep 2; echo late", yield_time_ms: 250 } }] },
      { text: "It runs." },
    ],
    { permissionMode: "bypass" },
  );
  const turn = await session.talk.say("start it");
  expect(turn.text).toBe("It runs.");
  const end = turn.events.find(({ type }) => type === "turn.ended")?.sequence ?? 0;
  const result = await session.talk.until(
    "item.completed",
    ({ item }) => item.kind === "tool_result" && JSON.stringify(item.content).includes("late"),
  );
  expect(result.sequence).toBeGreaterThan(end);
  await codex.finish(session);
});

test("a model that works by programs shows the same commands and changes", async () => {
  const session = await codex.begin(
    [
      { tools: [run("echo from a program")] },
      { tools: [{ name: "write_file", input: { path: "made.txt", content: "x\n" } }] },
      { text: "Done." },
    ],
    { model: "gpt-6.1-sol" },
  );
  const { messageId } = await session.talk.send("go");
  const command = await session.talk.until("permission.requested");
  expect(command.data).toMatchObject({ action: "execute", title: "Run echo from a program" });
  await codex.reply(session, command.data.permissionId, "once");
  const edit = await session.talk.until("permission.requested", () => true, command.sequence);
  expect(edit.data).toMatchObject({ action: "edit", detail: { paths: ["made.txt"] } });
  await codex.reply(session, edit.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(parts(turn.of("item.completed"), "tool_call").map(({ toolKind }) => toolKind)).toEqual(["execute", "edit"]);
  expect(parts(turn.of("item.completed"), "tool_result")[0]?.output).toBe("from a program\n");
  await codex.finish(session);
});

test("an image is shown to the model, another file is named to it", async () => {
  const session = await codex.begin([{ text: "I see." }]);
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const attachments = [
    { data: pixel, mime: "image/png", filename: "pixel.png" },
    { data: Buffer.from("a,b\n").toString("base64"), mime: "text/csv", filename: "table.csv" },
  ];
  expect((await session.talk.say("look", { attachments })).text).toBe("I see.");
  const asked = JSON.stringify(session.llm.requests()[0]?.body);
  expect(asked).toContain("data:image/png;base64,");
  expect(asked).toMatch(/Attached file: \/[^"]+/);
  await codex.finish(session);
});

test("what is added to the instructions reaches the model", async () => {
  const session = await codex.begin([{ text: "Aye." }], { systemPrompt: "Speak like a sailor." });
  await session.talk.say("hello");
  expect(JSON.stringify(session.llm.requests()[0]?.body)).toContain("Speak like a sailor.");
  await codex.finish(session);
});

test("the models come with their efforts, the modes with a plan mode", async () => {
  const { models } = await codex.daemon.api.get<{ models: { id: string; variants?: string[]; default?: boolean }[] }>(
    "/agents/codex/models",
  );
  expect(models.filter((model) => model.default)).toHaveLength(1);
  expect(models.find(({ id }) => id === "gpt-5.5")?.variants).toEqual(expect.arrayContaining(["low", "high"]));
  const { modes } = await codex.daemon.api.get<{ modes: { id: string }[] }>("/agents/codex/modes");
  expect(modes.map(({ id }) => id)).toEqual(["default", "plan"]);
});
