import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAccount } from "../server-account.ts";
import { done, openAgentWorld, resultsOf, terminal, xmlCall } from "./agent-world.ts";

const goal = xmlCall("add_subgoal", { id: "g1", objective: "both ran", status: "IN_PROGRESS" });
const waiting = "until [ -e go ]; do sleep 0.1; done; echo two >> ran.txt";

it("T-3: the server is killed while a tool runs; another instance goes on, and no tool runs twice", async () => {
  const world = await openAgentWorld([
    { text: `I plan.\n${goal}\n${terminal("echo one >> ran.txt")}` },
    { text: `Now I wait.\n${xmlCall("run_terminal_command", { command: waiting, yield_seconds: "30" })}` },
    { expect: { body: ["<status>completed</status>", "Now I wait."] }, text: done("Both ran.") },
  ]);
  const account = await openAccount(world);
  const one = await account.serve();
  const command = world.start(["--stream-json", "--session-id", "far", "/agent run both"], { env: account.env });
  await command.line((line) => line.type === "tool_call" && JSON.stringify(line.input).includes("until"));
  await one.kill("SIGKILL");
  await writeFile(join(world.project, "go"), "");
  await command.line((line) => line.type === "error" && line.code === "withdrawn");
  await account.serve();
  command.child.stdin.end();
  const { code, out, err } = await command.end();
  expect(code, out + err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  expect(await readFile(join(world.project, "ran.txt"), "utf8")).toBe("one\ntwo\n");
  expect(resultsOf(command.lines, "run_terminal_command")).toHaveLength(2);
  expect(resultsOf(command.lines, "add_subgoal")).toHaveLength(1);
  expect(command.lines.at(-1)).toMatchObject({ type: "finish", status: "completed", steps: 3 });
  // One run, recorded by the server, though two instances worked on it.
  expect(await account.admin("runs", "list")).toMatchObject([{ status: "completed" }]);
  // A model that was asked by the server: its key is the server's, not this person's.
  expect(world.llm.requests().every(({ headerNames }) => !headerNames.includes("x-api-key"))).toBe(true);
});

it("T-4 over the server: a client killed during a tool takes its task up again", async () => {
  const world = await openAgentWorld([
    { text: `The long one.\n${terminal("sleep 600")}` },
    { expect: { body: ["<status>interrupted</status>", "and go on"] }, text: done("Understood.") },
  ]);
  const account = await openAccount(world);
  await account.serve();
  const first = world.start(["--stream-json", "--session-id", "task", "/agent work"], { env: account.env });
  await first.line((line) => line.type === "tool_call");
  await first.kill();
  const second = await world.run(["--json", "--continue", "task", "/agent and go on"], { env: account.env });
  expect(second.code, second.out + second.err).toBe(0);
  expect(second.lines[0]).toMatchObject({ type: "result", text: "Understood." });
  expect(world.llm.failures()).toEqual([]);
});

it("--agent-local: the loop runs in the command, the server only gives the model and counts the run", async () => {
  const world = await openAgentWorld([{ text: `Here.\n${terminal("echo here")}` }, { text: done("Done.") }]);
  const account = await openAccount(world);
  await account.serve();
  const command = await world.run(["--stream-json", "--agent-local", "/agent work"], { env: account.env });
  expect(command.code, command.out + command.err).toBe(0);
  expect(world.llm.failures()).toEqual([]);
  expect(command.lines.at(-1)).toMatchObject({ type: "finish", status: "completed", steps: 2 });
  expect(await account.admin("runs", "list")).toMatchObject([{ status: "completed" }]);
});

it("a key the server does not know ends with exit code 3", async () => {
  const world = await openAgentWorld([{ text: "never" }]);
  const account = await openAccount(world);
  await account.serve();
  const command = await world.run(["--stream-json", "/agent work"], {
    env: { ...account.env, CODEBUFF_API_KEY: "cb-wrong" },
  });
  expect(command.code, command.out + command.err).toBe(3);
  expect(world.llm.requests()).toEqual([]);
});
