import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { done, openAgentWorld, resultsOf, stillRunning, terminal, xmlCall } from "./agent-world.ts";

const check =
  'import { good } from "./value.mjs";\nif (!good) { console.log("1 failing"); process.exit(1); }\nconsole.log("1 passing");\n';
const project = { "value.mjs": "export const good = false;\n", "check.mjs": check };
const waiting = "until [ -e there ]; do sleep 0.1; done; echo it is there";
const goal = xmlCall("add_subgoal", { id: "g1", objective: "tests pass", status: "IN_PROGRESS" });

it("a task is told as the events of any run, in order, and noted in the local usage log", async () => {
  const world = await openAgentWorld(
    [
      { text: `I plan.\n${goal}` },
      { text: `I run the tests.\n${terminal("node check.mjs")}` },
      {
        expect: { body: "1 failing" },
        text: `I mend it.\n${xmlCall("write_file", { path: "value.mjs", instructions: "mend", content: "export const good = true;\n" })}`,
      },
      { text: `Once more.\n${terminal("node check.mjs")}` },
      {
        expect: { body: "1 passing" },
        text: `${xmlCall("update_subgoal", { id: "g1", status: "COMPLETE" })}\n${done("All tests pass.")}`,
      },
    ],
    project,
  );
  const command = await world.run(["--stream-json", "/agent make tests pass"]);
  expect(command.code, command.out + command.err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  const told = command.lines.filter(({ type }) => type !== "tool_progress");
  const joined = told.map(({ type, toolName }) => (toolName === undefined ? type : `${type} ${String(toolName)}`));
  expect(joined.filter((one, index) => one !== "text" || joined[index - 1] !== "text")).toEqual([
    ...["start", "text", "tool_call add_subgoal", "tool_result add_subgoal"],
    ...["text", "tool_call run_terminal_command", "tool_result run_terminal_command"],
    ...["text", "tool_call write_file", "tool_result write_file"],
    ...["text", "tool_call run_terminal_command", "tool_result run_terminal_command"],
    ...["tool_call update_subgoal", "tool_result update_subgoal", "text", "finish"],
  ]);
  expect(told[0]).toMatchObject({ agentId: "agent-mode", messageHistoryLength: 0 });
  expect(told.at(-1)).toMatchObject({ type: "finish", status: "completed", steps: 5 });
  expect(resultsOf(told, "run_terminal_command").map(({ exitCode }) => exitCode)).toEqual([1, 0]);
  const text = told.flatMap((line) => (line.type === "text" ? [String(line.text)] : [])).join("");
  expect(text).toContain("All tests pass.");
  expect(text).not.toContain("<");
  expect(await readFile(join(world.project, "value.mjs"), "utf8")).toContain("good = true");
  const usage = await readFile(join(world.home, ".codebuff/logs/usage.jsonl"), "utf8");
  expect(JSON.parse(usage)).toMatchObject({ event: "agent_mode", sessionId: told[0]?.sessionId });
});

it("T-3 in this process: the loop is killed between a call and the next answer, another goes on, no tool runs twice", async () => {
  const world = await openAgentWorld([
    { text: `I plan.\n${goal}\n${terminal("echo one >> ran.txt")}` },
    { text: "never heard", fault: { kind: "stall" as const } },
    { fault: { kind: "status" as const, status: 503, retryAfter: 0 } },
    {
      expect: { body: ["<status>completed</status>", "tests pass", "and go on"], not: { body: "interrupted" } },
      text: `The second.\n${terminal("echo two >> ran.txt")}`,
    },
    { text: done("Both ran.") },
  ]);
  const first = world.start(["--stream-json", "--session-id", "task", "/agent run both"]);
  await first.line((line) => line.type === "tool_result" && line.toolName === "run_terminal_command");
  await vi.waitFor(() => expect(world.llm.requests()).toHaveLength(2), { timeout: 60_000 });
  await first.kill();
  const second = await world.run(["--json", "--continue", "task", "/agent and go on"]);
  expect(second.code, second.out + second.err).toBe(0);
  expect(second.lines[0]).toMatchObject({ type: "result", text: "Both ran." });
  expect(world.llm.failures()).toEqual([]);
  expect(await readFile(join(world.project, "ran.txt"), "utf8")).toBe("one\ntwo\n");
});

it("T-4: killed during a command, the task is taken up again and the model reads that it was interrupted", async () => {
  const world = await openAgentWorld([
    { text: `First.\n${terminal("echo once >> ran.txt")}` },
    { text: `Now the long one.\n${terminal("echo begun >> ran.txt; sleep 600")}` },
    { expect: { body: ["<status>interrupted</status>", "and go on"] }, text: done("Understood.") },
  ]);
  const first = world.start(["--stream-json", "--session-id", "task", "/agent work"]);
  await first.line((line) => line.type === "tool_result");
  await first.line((line) => line.type === "tool_call" && JSON.stringify(line.input).includes("sleep"));
  await first.kill();
  const second = await world.run(["--json", "--continue", "task", "/agent and go on"]);
  expect(second.code, second.out + second.err).toBe(0);
  expect(second.lines[0]).toMatchObject({ type: "result", text: "Understood.", isError: false });
  expect(world.llm.failures()).toEqual([]);
  const ran = (await readFile(join(world.project, "ran.txt"), "utf8")).split("\n");
  expect(ran.filter((line) => line === "once")).toHaveLength(1);
});

it("C-18: notes of earlier tasks stand in the prompt, and new ones are written with the file tools", async () => {
  const note = { path: ".codebuff/memory/deploy.md", instructions: "note", content: "Deploy on Mondays.\n" };
  const world = await openAgentWorld(
    [
      {
        expect: { system: ["the build needs Node 20", "Other notes: other.md"] },
        text: `I note it.\n${xmlCall("write_file", note)}`,
      },
      { text: done("Noted.") },
    ],
    { ".codebuff/memory/index.md": "the build needs Node 20", ".codebuff/memory/other.md": "x" },
  );
  const command = await world.run(["-n", "/agent remember"]);
  expect(command.code, command.out + command.err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  expect(await readFile(join(world.project, note.path), "utf8")).toContain("Mondays");
});

it("C-20: the agent gives a task to another codebuff in its terminal", async () => {
  const world = await openAgentWorld(
    [
      {
        text: `I delegate.\n${xmlCall("run_terminal_command", { command: 'codebuff -n --json "say hello"', yield_seconds: "30" })}`,
      },
      stillRunning("Hello from the other one"),
      { expect: { body: "Hello from the other one" }, text: done("It answered.") },
    ],
    {},
    [{ name: "other", match: { firstUser: "say hello" }, turns: [{ text: "Hello from the other one" }] }],
  );
  // The agent's commands get no keys; the person has to name those the other one needs.
  const env = { CODEBUFF_VARIABLES: "ANTHROPIC_API_KEY,ANTHROPIC_BASE_URL" };
  const command = await world.run(["--stream-json", "/agent ask another"], { env });
  expect(command.code, command.out + command.err).toBe(0);
  expect(resultsOf(command.lines, "run_terminal_command").at(-1)).toMatchObject({ status: "completed", exitCode: 0 });
  expect(world.llm.failures()).toEqual([]);
});

it("plain /agent prints how it is used and runs nothing", async () => {
  const world = await openAgentWorld([{ text: "never" }]);
  const text = await world.run(["-n", "/agent"]);
  expect(text.code, text.out + text.err).toBe(2);
  expect(text.err).toContain('codebuff -n "/agent make the tests pass"');
  const lines = await world.run(["--stream-json", "/agent  "]);
  expect(lines.code, lines.out + lines.err).toBe(2);
  expect(lines.lines).toMatchObject([{ type: "error", code: "usage", fatal: true }]);
  expect(world.llm.requests()).toEqual([]);
});

it("a kept-open process takes a task, keeps what comes meanwhile for the next run, and goes on in the same session", async () => {
  const world = await openAgentWorld(
    [
      { text: `I wait.\n${xmlCall("run_terminal_command", { command: waiting, yield_seconds: "30" })}` },
      stillRunning("it is there"),
      { text: done("The task is done.") },
    ],
    {},
    [{ name: "chat", turns: [{ text: "And hello to you.", times: "always" }] }],
  );
  const running = world.start(["--input-format", "stream-json", "--session-id", "kept"]);
  running.send({ type: "user_message", messageId: "m1", text: "/agent wait for it" });
  await running.line("tool_call");
  running.send({ type: "user_message", messageId: "m2", text: "hello" });
  await writeFile(join(world.project, "there"), "");
  await running.line("finish", 2);
  running.child.stdin.end();
  const { code, lines, err } = await running.end();
  expect(code, err).toBe(0);
  const told = lines.filter(({ type }) => type === "start" || type === "finish" || type === "user_message_joined");
  expect(told.map(({ type, messageId, agentId, sessionId }) => [type, messageId, agentId, sessionId])).toEqual([
    ["start", "m1", "agent-mode", "kept"],
    ["finish", undefined, "agent-mode", "kept"],
    ["start", "m2", "base2", "kept"],
    ["finish", undefined, "base2", "kept"],
  ]);
  expect(lines.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("")).toMatch(
    /task is done[\s\S]*hello to you/,
  );
});

it("one shot: a message while the task works is refused with what to do instead", async () => {
  const world = await openAgentWorld([
    { text: `I wait.\n${xmlCall("run_terminal_command", { command: waiting, yield_seconds: "30" })}` },
    stillRunning("it is there"),
    { text: done("The task is done.") },
  ]);
  const running = world.start(["--stream-json", "/agent wait for it"]);
  await running.line("tool_call");
  running.send({ type: "user_message", text: "hurry" });
  expect(await running.line("error")).toMatchObject({ fatal: false, message: expect.stringContaining("--continue") });
  await writeFile(join(world.project, "there"), "");
  running.child.stdin.end();
  expect((await running.end()).code).toBe(0);
});
