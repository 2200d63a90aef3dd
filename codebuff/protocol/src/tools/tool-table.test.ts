import { expect, test } from "vitest";
import { checkToolInput, isToolName, toolJsonSchema, toolNames, toolSpec, toolTable } from "./tool-table.ts";

const names = (keep: (name: (typeof toolNames)[number]) => boolean) => toolNames.filter(keep).sort();

test("only these tools do not force another model step", () => {
  expect(names((name) => !toolTable[name].forcing)).toEqual([
    "add_message",
    "create_plan",
    "set_messages",
    "set_output",
    "suggest_followups",
    "task_completed",
    "think_deeply",
    "update_subgoal",
  ]);
});

test("only these tools write files or run programs", () => {
  expect(names((name) => toolTable[name].effect === "writes")).toEqual([
    "apply_patch",
    "create_plan",
    "str_replace",
    "write_file",
  ]);
  expect(names((name) => toolTable[name].effect === "runs")).toEqual([
    "kill_terminal",
    "run_file_change_hooks",
    "run_terminal_command",
  ]);
});

test("the agent loop's own tools and the server's are not run on the user's machine", () => {
  expect(names((name) => !toolTable[name].clientSide)).toEqual([
    "add_message",
    "add_subgoal",
    "end_turn",
    "lookup_agent_info",
    "read_docs",
    "read_url",
    "set_messages",
    "set_output",
    "skill",
    "spawn_agent_inline",
    "spawn_agents",
    "suggest_followups",
    "task_completed",
    "think_deeply",
    "update_subgoal",
    "web_search",
    "write_todos",
  ]);
});

test("only these tools end the turn", () => {
  expect(names((name) => toolSpec(name).endsTurn === true)).toEqual(["end_turn", "task_completed"]);
});

test("defaults are filled in when the input is checked", () => {
  const filled = {
    run_terminal_command: [{ command: "ls" }, { command: "ls", process_type: "SYNC", timeout_seconds: 30 }],
    code_search: [{ pattern: "x" }, { pattern: "x", maxResults: 15 }],
    web_search: [{ query: "x" }, { query: "x", depth: "standard" }],
    read_docs: [
      { libraryTitle: "zod", topic: "t", max_tokens: 5 },
      { libraryTitle: "zod", topic: "t", max_tokens: 10_000 },
    ],
    read_subtree: [{}, { maxTokens: 4000 }],
    ask_user: [
      { questions: [{ question: "q", options: [{ label: "a" }, { label: "b" }] }] },
      { questions: [{ question: "q", options: [{ label: "a" }, { label: "b" }], multiSelect: false }] },
    ],
    str_replace: [
      { path: "a", replacements: [{ old: "x", new: "" }] },
      { path: "a", replacements: [{ old: "x", new: "", allowMultiple: false }] },
    ],
  } as const;
  for (const [name, [given, expected]] of Object.entries(filled)) {
    if (!isToolName(name)) throw new Error(name);
    expect(checkToolInput(name, given)).toEqual({ ok: true, input: expected });
  }
});

test.each([
  ["read_files", { paths: [] }, "paths"],
  ["read_files", { paths: "a.ts" }, "paths"],
  ["write_file", { path: "a" }, "content"],
  ["str_replace", { path: "a", replacements: [{ old: "", new: "x" }] }, "replacements.0.old"],
  ["apply_patch", { operation: { type: "chmod", path: "a" } }, "operation"],
  ["run_terminal_command", { command: "a", input: "b" }, "only one of"],
  ["run_terminal_command", { cwd: "src" }, "need a command"],
  ["run_terminal_command", { command: "a", timeout_seconds: 0 }, "timeout_seconds"],
  ["run_terminal_command", { command: "a", yield_seconds: 31 }, "yield_seconds"],
  ["ask_user", { questions: [{ question: "q", options: [{ label: "a" }] }] }, "options"],
  ["ask_user", null, "input"],
  ["read_url", { url: "file:///etc/passwd" }, "url"],
] as const)("a wrong input of %s is refused and the field is named: %j", (name, input, field) => {
  const checked = checkToolInput(name, input);
  expect(checked).toMatchObject({ ok: false, errorMessage: expect.stringContaining(`Invalid input for ${name}`) });
  expect(checked).toMatchObject({ errorMessage: expect.stringContaining(field) });
});

test("a terminal call without command, input and signal is a poll", () => {
  expect(checkToolInput("run_terminal_command", { session_id: "dev" })).toMatchObject({ ok: true });
});

test("every tool has a one-line summary and an object as JSON schema", () => {
  for (const name of toolNames) {
    expect(toolTable[name].summary).toMatch(/^[A-Z][^\n]+[^.\n]$/);
    expect(toolJsonSchema(name)).toMatchObject({ type: "object" });
    expect(() => JSON.stringify(toolJsonSchema(name))).not.toThrow();
  }
  expect(toolJsonSchema("code_search").required).toEqual(["pattern"]);
});

test("names of Object.prototype are not tools", () => {
  expect(isToolName("toString")).toBe(false);
  expect(isToolName("read_files")).toBe(true);
});
