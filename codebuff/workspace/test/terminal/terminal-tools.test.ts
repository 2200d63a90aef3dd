import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type RunOptions, Terminal, type WorkspaceOptions } from "../../src/index.ts";
import { projectFixture } from "../project-fixture.ts";

/** A project whose workspace has a real terminal of its own. */
async function withTerminal(options: Partial<RunOptions & WorkspaceOptions> = {}) {
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), "codebuff-terminal-")));
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: state };
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const root = path.join(state, "proj");
  mkdirSync(root);
  const terminal = new Terminal({ root, environment, stateDirectory: path.join(state, "terminals") });
  onTestFinished(() => terminal.close());
  return { ...(await projectFixture({}, { terminal, ...options, root })), root };
}

function processesWith(argument: string): string[] {
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return list.split("\n").filter((line) => line.includes(argument) && !line.includes("ps -eo"));
}

async function untilGone(argument: string): Promise<void> {
  for (let tries = 0; tries < 100 && processesWith(argument).length > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(processesWith(argument)).toEqual([]);
}

const call = (input: Record<string, unknown>, toolCallId = "1") => ({
  toolName: "run_terminal_command",
  toolCallId,
  input: input as never,
});

test("D2: at the timeout what was said is kept and the whole group is killed", async () => {
  const { value } = await withTerminal();
  const result = await value("run_terminal_command", {
    command: "echo before; sleep 77.31; echo after",
    timeout_seconds: 1,
  });
  expect(result).toMatchObject({
    status: "timed_out",
    timedOut: true,
    exitCode: 124,
    stdout: expect.stringContaining("before"),
  });
  expect(JSON.stringify(result)).not.toContain("after\\n");
  await untilGone("sleep 77.31");
});

test("D3: a command that reads its input finds it empty", async () => {
  const { value } = await withTerminal();
  expect(await value("run_terminal_command", { command: "cat; echo end" })).toMatchObject({
    stdout: "end\n",
    exitCode: 0,
  });
});

test("D4: an abort ends the command, its side effect does not happen, and the call has a result", async () => {
  const { root, hands } = await withTerminal();
  const abort = new AbortController();
  const running = hands.call([call({ command: "echo begun; sleep 78.42; touch marker" })], {
    signal: abort.signal,
    onProgress: () => abort.abort(),
  });
  const [result] = await running;
  // What the command said so far is kept when it can be had in time; the call never waits for it.
  expect(JSON.stringify(result?.output)).toMatch(/interrupted/i);
  await untilGone("sleep 78.42");
  expect(existsSync(path.join(root, "marker"))).toBe(false);
});

test("what the policy denies is not run, and the denial names the reason", async () => {
  const { root, value } = await withTerminal();
  mkdirSync(path.join(root, "../victim"));
  expect(await value("run_terminal_command", { command: "rm -rf ../victim" })).toMatchObject({
    command: "rm -rf ../victim",
    errorMessage: expect.stringContaining("rm -rf ../victim"),
  });
  expect(existsSync(path.join(root, "../victim"))).toBe(true);
});

test("a command is judged from the directory its session has moved to", async () => {
  const { root, value } = await withTerminal();
  mkdirSync(path.join(root, "../victim"));
  mkdirSync(path.join(root, "src/victim"), { recursive: true });
  await value("run_terminal_command", { command: "cd .." });
  expect(await value("run_terminal_command", { command: "rm -rf victim" })).toHaveProperty("errorMessage");
  expect(existsSync(path.join(root, "../victim"))).toBe(true);
  await value("run_terminal_command", { command: "cd proj/src" });
  expect(await value("run_terminal_command", { command: "rm -rf victim" })).toMatchObject({ exitCode: 0 });
  expect(existsSync(path.join(root, "src/victim"))).toBe(false);
});

test("an edit, a command and a read in one step see each other in this order", async () => {
  const { hands } = await withTerminal();
  const results = await hands.call(
    [
      { toolName: "write_file", toolCallId: "1", input: { path: "a.txt", instructions: "", content: "one\n" } },
      call({ command: "cat a.txt; echo two > a.txt" }, "2"),
      { toolName: "read_files", toolCallId: "3", input: { paths: ["a.txt"] } },
    ],
    {},
  );
  expect(results[1]?.output).toMatchObject([{ value: { stdout: "one\n" } }]);
  expect(results[2]?.output).toMatchObject([{ value: [{ content: "two\n" }] }]);
});

test("commands of one session go one after the other, of two sessions side by side", async () => {
  const { value, hands } = await withTerminal();
  await value("run_terminal_command", { command: "mkfifo pipe" });
  // Only side by side can the reader end: it waits for what the writer says.
  const results = await hands.call(
    [
      call({ command: "read x < pipe; echo $x", session_id: "reader" }, "1"),
      call({ command: "echo hello > pipe", session_id: "writer" }, "2"),
      call({ command: "echo third $x", session_id: "reader" }, "3"),
    ],
    {},
  );
  expect(results.map((result) => result.output)).toMatchObject([
    [{ value: { stdout: "hello\n" } }],
    [{ value: { exitCode: 0 } }],
    [{ value: { stdout: "third hello\n" } }],
  ]);
});

test("hooks run for the files they care about, one after the other", async () => {
  const hooks = [
    { name: "typescript", command: "echo checked", filePattern: "**/*.ts", enabled: true },
    { name: "python", command: "echo never", filePattern: "**/*.py", enabled: true },
    { name: "failing", command: "echo bad >&2; exit 3", enabled: true },
    { name: "off", command: "echo off", enabled: false },
  ];
  const { value } = await withTerminal({ hooks });
  expect(await value("run_file_change_hooks", { files: ["src/a.ts"] })).toMatchObject([
    { hookName: "typescript", stdout: "checked\n", exitCode: 0 },
    { hookName: "failing", stderr: "bad\n", exitCode: 3 },
  ]);
});

test("PLAN mode runs commands that only look", async () => {
  const { root, value } = await withTerminal({ writes: "denied", confinement: "table" });
  expect(await value("run_terminal_command", { command: "pwd" })).toMatchObject({ stdout: `${root}\n` });
  expect(await value("run_terminal_command", { command: "touch x" })).toMatchObject({
    errorMessage: expect.stringContaining("PLAN mode"),
  });
  expect(existsSync(path.join(root, "x"))).toBe(false);
});
