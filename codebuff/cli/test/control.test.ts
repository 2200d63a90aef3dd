import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

const question = { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] };
const write = { path: "made.txt", instructions: "make it", content: "made\n" };
const json = (value: object) => [{ type: "json", value }];

let world: World;
beforeAll(async () => {
  world = await openWorld({
    conversations: [
      {
        match: { user: "ask me" },
        turns: [{ tools: [{ name: "ask_user", native: true, input: question }] }, { text: "Thanks." }],
      },
      {
        match: { user: "write" },
        turns: [{ tools: [{ name: "write_file", native: true, input: write }] }, { text: "So be it." }],
      },
      {
        match: { firstUser: "work" },
        turns: [
          { tools: [{ name: "run_terminal_command", native: true, input: { command: "sleep 2" } }] },
          { text: "Heard you.", match: { user: "hurry" } },
          { text: "Done." },
        ],
      },
      { each: "prompt", turns: [{ text: "Hello." }] },
    ],
  });
});
afterAll(() => world.close());

describe("a prompt with --stream-json: standard input is the control channel", () => {
  it("a question waits for its answer", async () => {
    const running = world.start(["--stream-json", "ask me"]);
    const { toolCallId } = await running.line("tool_call");
    running.send("not json");
    running.send({ type: "tool_result", toolCallId: "other", output: [] });
    await running.line("error", 2);
    running.send({
      type: "tool_result",
      toolCallId,
      output: json({ answers: [{ questionIndex: 0, selectedOption: "B" }] }),
    });
    const { code, lines } = await running.end();
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === "error").map(({ fatal, code: word }) => [fatal, word])).toEqual([
      [false, "bad_input"],
      [false, "bad_input"],
    ]);
    expect(JSON.stringify(lines.find(({ type }) => type === "tool_result"))).toContain('"selectedOption":"B"');
  });

  it("without anybody to answer it is skipped", async () => {
    const { code, lines } = await world.run(["--stream-json", "ask me"]);
    expect(code).toBe(0);
    expect(lines.find(({ type }) => type === "tool_result")?.output).toEqual(json({ skipped: true }));
  });

  it.each([
    ["once", ["made.txt"]],
    ["deny", []],
  ])("a permission is a question with its diff; %s", async (decision, files) => {
    const own = await openWorld({
      conversations: [
        { turns: [{ tools: [{ name: "write_file", native: true, input: write }] }, { text: "So be it." }] },
      ],
    });
    const running = own.start(["--stream-json", "--permissions", "default", "write"]);
    const call = await running.line("tool_call");
    const asked = await running.line("tool_call", 2);
    expect(asked).toMatchObject({
      toolName: "ask_user",
      toolCallId: `ask-${call.toolCallId}`,
      permission: { toolCallId: call.toolCallId, diff: expect.stringContaining("+made") },
    });
    running.send({
      type: "tool_result",
      toolCallId: asked.toolCallId,
      output: json({ decision, message: "I say so" }),
    });
    const { code, lines } = await running.end();
    expect(code).toBe(0);
    expect(await readdir(own.project)).toEqual(files);
    if (decision === "deny") expect(JSON.stringify(lines)).toContain("I say so");
    await own.close();
  });

  it("cancel ends the run", async () => {
    const running = world.start(["--stream-json", "ask me"]);
    await running.line("tool_call");
    running.send({ type: "cancel" });
    const { code, lines } = await running.end();
    expect(lines.at(-1)).toMatchObject({ type: "finish", status: "cancelled" });
    expect(code).toBe(130);
  });
});

describe("a kept-open process", () => {
  it("is ready, runs message after message in one session, and ends with its input", async () => {
    const running = world.start(["--input-format", "stream-json", "--session-id", "kept"]);
    expect(await running.line("ready")).toMatchObject({
      sessionId: "kept",
      agentId: "base2",
      mode: "DEFAULT",
      messageHistoryLength: 0,
      cwd: world.project,
    });
    running.send({ type: "user_message", messageId: "m1", text: "hello" });
    await running.line("finish");
    running.send({ type: "update", mode: "MAX", permissions: "nonsense" });
    await running.line("error");
    running.send({ type: "update", mode: "MAX" });
    running.send({ type: "user_message", messageId: "m2", text: "hello again" });
    await running.line("finish", 2);
    running.child.stdin.end();
    const { code, lines } = await running.end();
    expect(code).toBe(0);
    const starts = lines.filter(({ type }) => type === "start");
    expect(starts.map(({ messageId, agentId }) => [messageId, agentId])).toEqual([
      ["m1", "base2"],
      ["m2", "base-max"],
    ]);
  });

  it.each(["hello again", "/agent hello again"])("--budget limits all its runs together: %s", async (again) => {
    const { lines } = await world.run(["--stream-json", "hello"]);
    const cost = Number(lines.find(({ type }) => type === "finish")?.totalCostUsd);
    expect(cost).toBeGreaterThan(0);
    const running = world.start(["--input-format", "stream-json", "--budget", String(cost * 0.9)]);
    running.send({ type: "user_message", messageId: "m1", text: "hello" });
    expect(await running.line("finish")).toMatchObject({ status: "completed" });
    const sent = world.llm.requests().length;
    running.send({ type: "user_message", messageId: "m2", text: again });
    expect(await running.line("finish", 2)).toMatchObject({ status: "failed", totalCost: 0 });
    expect(await running.line("error")).toMatchObject({ code: "budget_exceeded", message: "The budget is used up" });
    expect(world.llm.requests().length).toBe(sent);
    running.child.stdin.end();
    await running.end();
  });

  it("a message while it works joins the run, and is acknowledged", async () => {
    const running = world.start(["--input-format", "stream-json"]);
    running.send({ type: "user_message", messageId: "m1", text: "work" });
    await running.line("tool_call");
    running.send({ type: "user_message", messageId: "m2", text: "hurry" });
    expect(await running.line("user_message_joined")).toMatchObject({ messageId: "m2" });
    running.child.stdin.end();
    const { lines } = await running.end();
    expect(lines.filter(({ type }) => type === "start")).toHaveLength(1);
    expect(lines.map(({ text }) => text ?? "").join("")).toContain("Heard you.");
  });

  it("cancel ends the run, not the process; SIGTERM ends both", async () => {
    const running = world.start(["--input-format", "stream-json"]);
    running.send({ type: "user_message", messageId: "m1", text: "ask me" });
    await running.line("tool_call");
    running.send({ type: "cancel" });
    expect(await running.line("finish")).toMatchObject({ status: "cancelled" });
    running.send({ type: "user_message", messageId: "m2", text: "hello" });
    expect(await running.line("finish", 2)).toMatchObject({ status: "completed" });
    running.child.kill("SIGTERM");
    expect((await running.end()).code).toBe(143);
  });

  it("a rewind to the entry that a finish names takes what came after it out of the conversation", async () => {
    const running = world.start(["--input-format", "stream-json", "--session-id", "rewound"]);
    const says = (text: string) => running.send({ type: "user_message", messageId: `m-${text}`, text });
    says("keep-this");
    const { entry } = await running.line("finish");
    expect(entry).toBeGreaterThan(0);
    says("drop-this");
    await running.line("finish", 2);
    running.send({ type: "rewind", to: entry });
    expect(await running.line("rewound")).toMatchObject({ to: entry, entry: expect.any(Number) });
    says("ask-again");
    const last = await running.line("finish", 3);
    const asked = JSON.stringify(world.llm.requests().find(({ body }) => JSON.stringify(body).includes("ask-again")));
    expect(asked).toContain("keep-this");
    expect(asked).not.toContain("drop-this");
    running.send({ type: "rewind", to: Number(last.entry) + 50 });
    expect(await running.line("error")).toMatchObject({ code: "bad_input", fatal: false });
    running.child.stdin.end();
    await running.end();
    const forked = await world.run(["sessions", "fork", "rewound", "--up-to", String(entry), "--into", world.home]);
    expect(forked.code).toBe(0);
  });

  it("a rewind while a run goes on is refused, and the run goes on", async () => {
    const running = world.start(["--input-format", "stream-json"]);
    running.send({ type: "user_message", messageId: "m1", text: "work" });
    await running.line("tool_call");
    running.send({ type: "rewind", to: 0 });
    expect(await running.line("error")).toMatchObject({ code: "bad_input" });
    expect(await running.line("finish")).toMatchObject({ status: "completed" });
    running.child.stdin.end();
    await running.end();
  });

  it("an unknown session to continue: a new one that says so", async () => {
    const running = world.start(["--input-format", "stream-json", "--continue", "gone"]);
    expect(await running.line("ready")).toMatchObject({ contextLost: true });
    running.child.stdin.end();
    expect((await running.end()).code).toBe(0);
  });

  it("killed while a command runs: the next one goes on, and the command ran once", async () => {
    const own = await openWorld({
      conversations: [
        {
          match: { firstUser: "count" },
          turns: [
            {
              tools: [
                { name: "run_terminal_command", native: true, input: { command: "echo ran >> runs; sleep 300" } },
              ],
            },
            { text: "I see that it was interrupted.", times: "always" },
          ],
        },
      ],
    });
    const first = own.start(["--input-format", "stream-json", "--session-id", "kill"]);
    first.send({ type: "user_message", messageId: "m1", text: "count" });
    await first.line("tool_call");
    await expect
      .poll(() => readFile(join(own.project, "runs"), "utf8").catch(() => ""), { timeout: 60_000 })
      .toBe("ran\n");
    first.child.kill("SIGKILL");
    await first.end();
    const second = own.start(["--input-format", "stream-json", "--continue", "kill"]);
    const ready = await second.line("ready");
    expect(ready.contextLost).toBeUndefined();
    expect(ready.messageHistoryLength).toBeGreaterThan(2);
    second.send({ type: "user_message", messageId: "m2", text: "go on" });
    expect(await second.line("finish")).toMatchObject({ status: "completed" });
    expect(await readFile(join(own.project, "runs"), "utf8")).toBe("ran\n");
    await own.close();
  });
});
