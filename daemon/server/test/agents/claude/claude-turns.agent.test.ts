import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { parts } from "../agent-home.ts";
import { bash, ClaudeHome } from "./claude-home.ts";

const { claude, test } = await ClaudeHome.forFile();

test("a text turn streams, thinks, and tells what it used and cost", async () => {
  const session = await claude.begin([
    {
      reasoning: "Somebody greets me.",
      text: "Good morning to you.",
      usage: { input: 1_000, output: 50, cachedInput: 400 },
    },
  ]);
  const turn = await session.talk.say("good morning");
  expect(turn.text).toBe("Good morning to you.");
  const deltas = turn.of("item.delta").filter(({ part }) => part === "text");
  expect(deltas.map(({ delta }) => delta).join("")).toBe("Good morning to you.");
  expect(turn.of("item.completed").map(({ item }) => item.kind)).toEqual(["message", "reasoning", "message"]);
  expect(turn.end).toMatchObject({
    status: "completed",
    usage: { inputTokens: 1_000, outputTokens: 50, cachedInputTokens: 400, contextTokens: 1_050 },
  });
  expect(turn.end.costUsd).toBeGreaterThan(0);
  const { data } = await session.talk.until("session.updated", ({ commands }) => commands !== undefined);
  expect(data.commands?.map(({ name }) => name)).toContain("compact");
  await claude.finish(session);
});

test("Read, Bash, Write and Edit give their files and differences", async () => {
  const directory = await claude.directory();
  const path = (name: string) => join(directory, name);
  await writeFile(path("a.txt"), "alpha\nbeta\n");
  const session = await claude.begin(
    [
      { tools: [{ name: "Read", native: true, input: { file_path: path("a.txt") } }] },
      {
        tools: [
          { name: "Edit", native: true, input: { file_path: path("a.txt"), old_string: "beta", new_string: "gamma" } },
        ],
      },
      { tools: [{ name: "Write", native: true, input: { file_path: path("b.txt"), content: "new\n" } }] },
      { tools: [bash("cat b.txt && exit 3")] },
      { text: "All done." },
    ],
    { directory, permissionMode: "bypass" },
  );
  const turn = await session.talk.say("work");
  expect(turn.end.status).toBe("completed");
  expect(parts(turn.of("item.completed"), "file")).toEqual([
    { type: "file", path: "a.txt", action: "read" },
    {
      type: "file",
      path: "a.txt",
      action: "patch",
      diff: `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+gamma\n`,
    },
    { type: "file", path: "b.txt", action: "write", diff: `--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+new\n` },
  ]);
  const results = parts(turn.of("item.completed"), "tool_result");
  expect(results.at(-1)).toMatchObject({ isError: true, exitCode: 3, output: expect.stringContaining("new") });
  expect(parts(turn.of("item.completed"), "tool_call").map(({ toolKind }) => toolKind)).toEqual([
    "read",
    "edit",
    "edit",
    "execute",
  ]);
  expect(await readFile(path("a.txt"), "utf8")).toBe("alpha\ngamma\n");
  await claude.finish(session);
});

test("a sub-agent is nested under its call, its permission included", async () => {
  const session = await claude.beginWith({
    conversations: [
      {
        match: { firstUser: "the errand" },
        turns: [{ text: "I go.", tools: [bash("touch errand.txt")] }, { text: "Errand done." }],
      },
      {
        turns: [
          {
            tools: [
              {
                name: "Agent",
                native: true,
                input: {
                  description: "An errand",
                  prompt: "the errand",
                  subagent_type: "general-purpose",
                  run_in_background: false,
                },
              },
            ],
          },
          { text: "It came back." },
        ],
      },
    ],
  });
  const { messageId } = await session.talk.send("send somebody");
  const asked = await session.talk.until("permission.requested");
  await claude.daemon.api.post(`${session.talk.path}/permissions/${asked.data.permissionId}/reply`, { reply: "once" });
  const turn = await session.talk.turnOf(messageId);
  const items = turn.of("item.completed").map(({ item }) => item);
  const call = items.find((item) =>
    item.content.some((part) => part.type === "tool_call" && part.toolKind === "agent"),
  );
  const inner = items.filter(({ parentId }) => parentId === call?.itemId);
  expect(inner.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["message", "tool_call", "tool_result"]));
  expect(inner.flatMap(({ content }) => content)).toContainEqual({ type: "text", text: "Errand done." });
  expect(turn.text).toContain("It came back.");
  await claude.finish(session);
});

test("a sub-agent in the background makes a turn of its own when it is done", async () => {
  const input = {
    description: "An errand",
    prompt: "the errand",
    subagent_type: "general-purpose",
    run_in_background: true,
  };
  const session = await claude.beginWith({
    conversations: [
      { match: { firstUser: "the errand" }, turns: [{ text: "Errand done.", pace: { chars: 2, delayMs: 150 } }] },
      {
        turns: [
          { tools: [{ name: "Agent", native: true, input }] },
          { text: "It is on its way." },
          { text: "I heard of it." },
        ],
      },
    ],
  });
  const first = await session.talk.say("send somebody");
  expect(first.text).toContain("It is on its way.");
  const own = await session.talk.until("turn.started", ({ origin }) => origin === "agent");
  const end = await session.talk.until("turn.ended", ({ turnId }) => turnId === own.data.turnId);
  expect(end.data.status).toBe("completed");
  await session.talk.until("item.completed", ({ item }) => item.background === true && item.kind === "status");
  await claude.finish(session);
});

// How many times sooner is in the bench (daemon/adapters/bench/claude.bench.mjs): a test machine may be busy.
test("the second turn is on the same process and begins sooner than the first did with its start", async () => {
  const directory = await claude.directory();
  const coldFrom = performance.now();
  const session = await claude.begin([{ text: "Here.", times: "always" }], { directory });
  const firstEvent = async (from: number, message: string) => {
    const after = session.talk.events.at(-1)?.sequence ?? 0;
    const { messageId } = await session.talk.send(message);
    await session.talk.until("item.started", ({ item }) => item.itemId.startsWith("item_"), after);
    const took = performance.now() - from;
    await session.talk.turnOf(messageId);
    return took;
  };
  const cold = await firstEvent(coldFrom, "one");
  const pid = await claude.processOf(session);
  const warm: number[] = [];
  for (const message of ["two", "three", "four", "five", "six"])
    warm.push(await firstEvent(performance.now(), message));
  expect(await claude.processOf(session)).toBe(pid);
  expect(Math.min(...warm)).toBeLessThan(cold);
  await claude.finish(session);
});

test("two sessions in two directories work at once and see only their own", async () => {
  const turns = [{ tools: [bash("pwd && sleep 0.5")] }, { text: "Looked." }];
  const sessions = await Promise.all([1, 2].map(() => claude.begin(turns, { permissionMode: "bypass" })));
  const ended = await Promise.all(sessions.map(({ talk }) => talk.say("where are you?")));
  for (const [index, turn] of ended.entries()) {
    const [result] = parts(turn.of("item.completed"), "tool_result");
    expect(result?.output).toContain(sessions[index]?.directory);
  }
  for (const session of sessions) await claude.finish(session);
});

test("a steering message enters the turn at its next tool", async () => {
  const session = await claude.begin(
    [{ tools: [bash("sleep 1; echo rested")] }, { expect: { body: "and hurry" }, text: "I hurried." }],
    { permissionMode: "bypass" },
  );
  const { messageId } = await session.talk.send("take a rest");
  await session.talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const steered = await session.talk.send("and hurry", { delivery: "steer" });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("I hurried.");
  expect(turn.of("message.updated")).toContainEqual(
    expect.objectContaining({ messageId: steered.messageId, status: "joined" }),
  );
  await claude.finish(session);
});

test("a steering message that finds no gap is answered before the turn ends", async () => {
  const session = await claude.begin([
    { text: "word ".repeat(20), pace: { chars: 5, delayMs: 60 } },
    { expect: { user: "one thing more" }, text: "And that one." },
  ]);
  const { messageId } = await session.talk.send("talk");
  await session.talk.until("item.delta");
  const steered = await session.talk.send("one thing more", { delivery: "steer" });
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toContain("And that one.");
  expect(turn.end.status).toBe("completed");
  expect(turn.of("message.updated")).toContainEqual(
    expect.objectContaining({ messageId: steered.messageId, status: "joined" }),
  );
  await claude.finish(session);
});

test("messages sent during a turn wait for their own", async () => {
  const session = await claude.begin([
    { text: "One.", pace: { chars: 1, delayMs: 100 } },
    { text: "Two." },
    { text: "Three." },
  ]);
  const sent = [await session.talk.send("1"), await session.talk.send("2"), await session.talk.send("3")];
  const turns = await Promise.all(sent.map(({ messageId }) => session.talk.turnOf(messageId)));
  expect(turns.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
  await claude.finish(session);
});
