import { describe, expect, test } from "vitest";
import { agentNames } from "../request/agent-names.ts";
import { nativeCall, neutralTools } from "./tool-names.ts";

const offered = (...names: string[]) =>
  names.map((name) => ({ name, custom: name === "apply_patch" || name === "exec" }));

describe("A neutral tool call", () => {
  test("is said in each agent's own words", () => {
    const call = { name: "run_command", input: { command: "npm test", cwd: "/w" } };
    const said = Object.fromEntries(agentNames.map((agent) => [agent, nativeCall(call, agent, [])]));
    expect(said).toEqual({
      claude: { name: "Bash", input: { command: "cd '/w' && npm test", description: "Run a command" } },
      codex: { name: "exec_command", input: { cmd: "npm test", workdir: "/w" } },
      opencode: { name: "bash", input: { command: "npm test", workdir: "/w" } },
      codebuff: {
        name: "run_terminal_command",
        input: { command: "npm test", cwd: "/w", process_type: "SYNC", timeout_seconds: 30 },
      },
      amp: { name: "Bash", input: { cmd: "npm test", cwd: "/w" } },
    });
  });

  test("edits a file with each agent's own arguments", () => {
    const call = { name: "edit_file", input: { path: "a.txt", old: "one", new: "two\nthree" } };
    expect(nativeCall(call, "claude", [])).toEqual({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "two\nthree" },
    });
    expect(nativeCall(call, "codex", offered("exec_command", "apply_patch"))).toEqual({
      name: "apply_patch",
      text: "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n+three\n*** End Patch",
    });
    expect(nativeCall(call, "opencode", [])).toEqual({
      name: "edit",
      input: { filePath: "a.txt", oldString: "one", newString: "two\nthree" },
    });
    expect(nativeCall(call, "codebuff", [])).toEqual({
      name: "str_replace",
      input: { path: "a.txt", replacements: [{ old: "one", new: "two\nthree", allowMultiple: false }] },
    });
  });

  test("is a list only where Claude offers one: several tasks are told as a problem, not as a call it refuses", () => {
    const todo = (...texts: string[]) => ({ name: "todo", input: { items: texts.map((text) => ({ text })) } });
    const todos = [{ content: "one", status: "pending", activeForm: "one" }];
    expect(nativeCall(todo("one"), "claude", offered("Bash", "TodoWrite"))).toEqual({
      name: "TodoWrite",
      input: { todos },
    });
    expect(nativeCall(todo("one"), "claude", offered("Bash", "TaskCreate"))).toEqual({
      name: "TaskCreate",
      input: { subject: "one", description: "one", activeForm: "one" },
    });
    const problem = expect.stringContaining("claude offers no list here");
    expect(nativeCall(todo("one", "two"), "claude", offered("Bash", "TaskCreate"))).toEqual({ problem });
    expect(nativeCall(todo("one"), "claude", offered("Bash"))).toEqual({ problem });
  });

  test("asks a question and keeps a list with the fields each agent requires", () => {
    const question = {
      question: "Which?",
      options: [{ label: "A" }, { label: "B", description: "b" }],
      multiple: true,
    };
    const ask = { name: "ask_question", input: { questions: [question] } };
    const options = [
      { label: "A", description: "" },
      { label: "B", description: "b" },
    ];
    expect(nativeCall(ask, "claude", [])).toEqual({
      name: "AskUserQuestion",
      input: { questions: [{ question: "Which?", header: "Question", options, multiSelect: true }] },
    });
    expect(nativeCall(ask, "codex", [])).toEqual({
      name: "request_user_input",
      input: { questions: [{ id: "question_1", question: "Which?", header: "Question", options }] },
    });
    const todo = { name: "todo", input: { items: [{ text: "Look", status: "completed" }, { text: "Do" }] } };
    expect(nativeCall(todo, "codex", [])).toEqual({
      name: "update_plan",
      input: {
        plan: [
          { step: "Look", status: "completed" },
          { step: "Do", status: "pending" },
        ],
      },
    });
    expect(nativeCall(todo, "codebuff", [])).toEqual({
      name: "write_todos",
      input: {
        todos: [
          { task: "Look", completed: true },
          { task: "Do", completed: false },
        ],
      },
    });
  });

  test("follows the shell tool that a Codex model is offered, and its code mode", () => {
    const call = { name: "run_command", input: { command: "ls" } };
    expect(nativeCall(call, "codex", offered("shell"))).toEqual({
      name: "shell",
      input: { command: ["bash", "-lc", "ls"] },
    });
    expect(nativeCall(call, "codex", offered("shell_command"))).toEqual({
      name: "shell_command",
      input: { command: "ls" },
    });
    const codeMode = [{ name: "exec", custom: true, namespace: "functions" }];
    expect(nativeCall(call, "codex", codeMode)).toEqual({
      name: "exec",
      namespace: "functions",
      text: 'const result = await tools.exec_command({"cmd":"ls"});\ntext(result.output);',
    });
  });

  test("exists for the four agents this server was made for, except where the agent has no such tool", () => {
    const gaps = [...neutralTools].flatMap(([name, row]) => {
      return agentNames.filter((agent) => row[agent] === undefined).map((agent) => `${agent} ${name}`);
    });
    expect(gaps).toEqual([
      "amp find_files",
      "amp search",
      "amp ask_question",
      "codex fetch_url",
      "codebuff fetch_url",
      "amp fetch_url",
    ]);
  });
});

describe("A tool call that is not in the table", () => {
  test("passes untouched", () => {
    const call = { name: "mcp__demo__echo", input: { text: "hi" }, namespace: "mcp" };
    expect(nativeCall(call, "claude", [])).toEqual(call);
    expect(nativeCall({ name: "apply_patch", text: "*** Begin" }, "codex", [])).toEqual({
      name: "apply_patch",
      text: "*** Begin",
    });
  });

  test("passes untouched under a neutral name when it is marked native or the client is no known agent", () => {
    const call = { name: "write_file", input: { path: "a" } };
    expect(nativeCall({ ...call, native: true }, "codebuff", [])).toEqual(call);
    expect(nativeCall(call, undefined, [])).toEqual(call);
  });

  test("is a problem with a name when the agent has no such tool", () => {
    expect(nativeCall({ name: "ask_question" }, "amp", [])).toEqual({ problem: 'amp has no tool for "ask_question"' });
  });
});
