import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { memorySection } from "./memory.ts";
import { findSelf, type SelfSource } from "./self-facts.ts";
import { agentModePrompt, type PromptFacts } from "./system-prompt.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");
const source: SelfSource = {
  env: {},
  sourceRoot: root,
  exists: existsSync,
  readText: (path) => readFileSync(path, "utf8"),
};
const toolNames = [
  ...["run_terminal_command", "read_files", "write_file", "code_search"],
  ...["add_subgoal", "update_subgoal", "end_turn"],
];
const self = findSelf(source);
const facts: PromptFacts = { toolNames, files: undefined, memory: await memorySection(undefined), self };
const prompt = agentModePrompt(facts);

describe("the prompt says", () => {
  test.each([
    ["1: the agent works on a task of many steps on its own", [/agent mode/, /many steps, on your own/]],
    [
      "2: tools are the way to act, output is read with care",
      [/act through tools, above all through run_terminal_command/, /with care/],
    ],
    ["3: which tools there are", toolNames.map((name) => new RegExp(`^<${name}>: `, "m"))],
    ["4: it is Codebuff and may change its own source", [/instance of Codebuff/, /change your own source/]],
    [
      "5: which files of its own matter",
      [/tool-table\.ts: the tools/, /terminal\.ts: the terminal/, /system-prompt\.ts: agent mode's prompt/],
    ],
    ["6: how to build and test itself", [/npm run build && npm run test/]],
    [
      "7: a command may return before it ended, and how to stop it",
      [/return before it has finished/, /status is running/, /<command_signal>CTRL_C<\/command_signal>/],
    ],
    ["8: plan and track with subgoals", [/add_subgoal.*update_subgoal/]],
    ["9: explain before calling", [/Before you call a tool, say in plain text what you plan/]],
    [
      "10: end the turn only when done or stuck",
      [/end_turn only when the whole task is done, or when you cannot go on without an answer/],
    ],
    ["11: be methodical, on failure find out why", [/methodical/, /fails, find out why/]],
  ])("%s", (_rule, patterns) => {
    for (const pattern of patterns) expect(prompt).toMatch(pattern);
  });
});

test("only the tools of the list are described, with their parameters", () => {
  expect(prompt).not.toContain("<apply_patch>:");
  expect(agentModePrompt({ ...facts, toolNames: [...toolNames, "apply_patch"] })).toContain("<apply_patch>:");
  expect(prompt).toContain("- command_signal: CTRL_C | CTRL_D | KILL, optional");
});

test("every key file exists, the command line's too once there is one", () => {
  const files = Object.entries(self?.keyFiles ?? {});
  expect(files.filter(([, path]) => !existsSync(`${root}/${path}`))).toEqual([]);
  const expected = ["the tools", "the terminal", "agent mode's prompt", "agent mode's loop"];
  expect(Object.keys(self?.keyFiles ?? {})).toEqual(expect.arrayContaining(expected));
  expect("the command line" in (self?.keyFiles ?? {})).toBe(existsSync(`${root}/codebuff/cli/package.json`));
});

test("the root is found at run time; nobody's home stands in the prompt", () => {
  const elsewhere = { ...source, env: { CODEBUFF_SELF_ROOT: "/srv/self" }, exists: () => true, readText: () => "{}" };
  expect(findSelf(elsewhere)).toMatchObject({ root: "/srv/self", commands: [] });
  expect(findSelf({ ...source, sourceRoot: undefined })).toBeUndefined();
  expect(findSelf({ ...source, sourceRoot: "/nowhere" })).toBeUndefined();
  const without = agentModePrompt({ ...facts, self: undefined });
  expect(without).not.toMatch(/\/Users\/|\/home\/|Yourself/);
});

test("the project's knowledge and files are part of it, however large they are", () => {
  const files = {
    projectRoot: "/p",
    cwd: "/p/src",
    fileTree: Array.from({ length: 5_000 }, (_, index) => `src/file-${index}.ts`),
    knowledgeFiles: { "knowledge.md": "Use tabs." },
  };
  const whole = agentModePrompt({ ...facts, files });
  expect(whole).toContain("Use tabs.");
  expect(whole).toContain("Directory: /p/src");
  expect(whole.length - prompt.length).toBeLessThan(17_000);
});
