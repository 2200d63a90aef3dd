import { expect, test } from "vitest";
import { agentModeResult } from "./tool-result.ts";

test.each([
  [
    "a terminal's text is text",
    "run_terminal_command",
    { stdout: "ok\n", exitCode: 0, cwd: "/p", status: "completed", sessionId: "main" },
    { status: "completed", result: "exit code: 0, cwd: /p\nok\n" },
  ],
  [
    "a program that runs on",
    "run_terminal_command",
    { stdout: "listening", status: "running", sessionId: "web" },
    { status: "running", result: "session: web\nlistening" },
  ],
  ["a refusal", "run_terminal_command", { errorMessage: "busy" }, { status: "error", result: "busy" }],
  [
    "another tool's value is JSON",
    "glob",
    { files: ["a"], count: 1 },
    { status: "completed", result: '{"files":["a"],"count":1}' },
  ],
  ["a failure", "write_file", { file: "a", errorMessage: "no" }, { status: "error" }],
])("%s", (_title, name, value, expected) => {
  const result = agentModeResult({ id: "c1", name, params: {} }, [{ type: "json", value }]);
  expect(result).toMatchObject({ id: "c1", name, ...expected });
});
