/** One model turn as a list of parts; the last turn of a script repeats. */
export type Part =
  | { readonly text: readonly string[]; readonly delay?: number }
  | { readonly reasoning: readonly string[] }
  | { readonly tool: string; readonly args: object }
  | { readonly wait: number }
  | { readonly drop: true }
  | { readonly status: number };

export interface Scenario {
  /** A list of turns, or what to say to the n-th request. */
  readonly script: readonly (readonly Part[])[] | ((n: number, system: string) => readonly Part[]);
  /** For the client program. */
  readonly options?: object;
  /** Files of the project beside `a.txt`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Children run side by side, so events have no order between them. */
  readonly isParallel?: true;
}

const call = (tool: string, args: object): Part => ({ tool, args });
const end: Part[] = [{ text: ["All", " done."] }];
const say = (...text: string[]): Part[][] => [[{ text }]];
const one = (tool: string, args: object): Part[][] => [[call(tool, args)], end];
const shell = (command: string, more = {}) =>
  one("run_terminal_command", { command, process_type: "SYNC", timeout_seconds: 10, ...more });
const replace = (path: string, ...pairs: [string, string][]): Part =>
  call("str_replace", { path, replacements: pairs.map(([old, next]) => ({ old, new: next, allowMultiple: false })) });
const question = { question: "Color?", header: "Color", options: [{ label: "Red" }, { label: "Blue" }] };
const code = {
  "src/a.ts": "export function foo(){\n  return 1\n}\n",
  "src/b.ts": 'import {foo} from "./a"\nfoo()\n',
  "knowledge.md": "use tabs\n",
};
const evil = { "../workspace-evil/s.txt": "SECRET" };
const schema = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };

/**
 * Every scenario the fixtures were recorded with. Events, words, output, requests, runs and steps must be as recorded. The
 * list of differences:
 * - `gate-*`: the recordings answer scripted statuses; here the gates are real, and the test names what the SDK says of each.
 * - `aux-fail`: a step and a FINISH that fail once; our server does not fail on request.
 * - `defect-d1-node20`: the SDK does not start on Node 20; nothing reaches a server.
 * - the two aborts by time (`defect-d4`, `defect-d5`) abort at an event instead, so that a slow machine plays them too.
 */
export const scenarios: Readonly<Record<string, Scenario>> = {
  text: { script: say("Hello", " there", "."), options: { check: true } },
  reasoning: { script: [[{ reasoning: ["Thinking", " hard"] }, { text: ["Answer."] }]] },
  "tool-read_files": { script: [[{ text: ["Reading. "] }, call("read_files", { paths: ["a.txt"] })], end] },
  "tool-write_file": { script: one("write_file", { path: "new.txt", instructions: "create", content: "new\n" }) },
  "tool-str_replace": { script: [[replace("a.txt", ["alpha", "ALPHA"])], end] },
  "tool-str_replace-nomatch": { script: [[replace("a.txt", ["zzz", "y"])], end] },
  "tool-run_terminal_command": { script: shell("echo hi && exit 0") },
  "tool-run_terminal_command-fail": { script: shell("echo bad >&2; exit 3") },
  "tool-code_search": { script: one("code_search", { pattern: "alpha" }) },
  "tool-write_todos": { script: one("write_todos", { todos: [{ task: "one", completed: false }] }) },
  "tool-ask_user-default": { script: one("ask_user", { questions: [question] }) },
  "tool-override-terminal": { script: shell("echo hi"), options: { override: true } },
  "tool-custom": { script: one("my_tool", { q: "life" }), options: { custom: true } },
  "tool-web_search": { script: one("web_search", { query: "hi" }) },
  "tool-spawn_agents": {
    script: [
      [call("spawn_agents", { agents: [{ agent_type: "sub-agent", prompt: "do sub" }] })],
      [{ text: ["sub", " says hi"] }],
      end,
    ],
  },
  "tool-end_turn": { script: [[{ text: ["bye "] }, call("end_turn", {})], end] },
  "tool-bad-name": { script: one("no_such_tool", { x: 1 }) },
  "multi-tool": {
    script: [
      [
        call("read_files", { paths: ["a.txt"] }),
        call("run_terminal_command", { command: "echo B", process_type: "SYNC", timeout_seconds: 5 }),
      ],
      end,
    ],
  },
  abort: {
    script: [[{ text: Array.from({ length: 40 }, (_, n) => `t${n} `), delay: 50 }]],
    options: { abortAfter: 5 },
  },
  "store-agent-bare-id": { script: say("x"), options: { agentId: "base" } },
  "store-agent-404": { script: say("x"), options: { agentId: "codebuff/base@0.0.16" } },
  "chat-429-once": { script: (n) => (n === 0 ? [{ status: 429 }] : [{ text: ["after retry"] }]) },
  "chat-drop": { script: [[{ text: ["Part", "ial"] }, { drop: true }]] },
  "golden-turn": {
    files: code,
    options: {
      agent: {
        toolNames: ["read_files", "run_terminal_command", "str_replace", "write_file"],
        spawnableAgents: [],
        systemPrompt: "SYS {CODEBUFF_KNOWLEDGE_FILES_CONTENTS}",
        instructionsPrompt: "INSTR",
        stepPrompt: "STEP {CODEBUFF_REMAINING_STEPS}",
      },
    },
    script: [
      [
        { reasoning: ["hmm"] },
        { text: ["Let me ", "read."] },
        call("read_files", { paths: ["src/a.ts", "nope.ts"] }),
        call("run_terminal_command", { command: "sleep 0.3; echo out; echo err >&2; exit 3" }),
      ],
      [
        { text: ["Editing"] },
        replace("src/a.ts", ["return 1", "return 2"]),
        call("write_file", { path: "src/new.ts", instructions: "x", content: "hello\n" }),
      ],
      [{ text: ["bad"] }, call("str_replace", { path: "src/a.ts" }), call("nosuch", {})],
      [{ text: ["Done."] }],
    ],
  },
  "golden-two-children": {
    isParallel: true,
    options: {
      agent: {
        systemPrompt: "ROOT",
        toolNames: ["spawn_agents", "read_files"],
        spawnableAgents: ["suba", "subb"],
      },
      subs: [
        { id: "suba", systemPrompt: "SUB suba" },
        { id: "subb", systemPrompt: "SUB subb", outputMode: "all_messages" },
      ],
    },
    script: (n, system) => {
      if (system.includes("SUB")) return [{ wait: 100 }, { text: [`from ${system.includes("suba") ? "A" : "B"}`] }];
      if (n > 0) return end;
      const agents = ["suba", "subb", "ghost"].map((agent_type) => ({ agent_type, prompt: `p-${agent_type}` }));
      return [{ text: ["spawning"] }, call("spawn_agents", { agents })];
    },
  },
  "golden-handle-steps": {
    files: code,
    options: {
      agent: {
        toolNames: ["read_files", "set_output"],
        spawnableAgents: [],
        outputMode: "structured_output",
        outputSchema: schema,
      },
      handleSteps: `function* () {
        yield { toolName: 'read_files', input: { paths: ['src/a.ts'] } };
        const r = yield 'STEP';
        yield { toolName: 'run_terminal_command', input: { command: 'echo not-in-toolNames' }, includeToolCall: false };
        yield { type: 'STEP_TEXT', text: 'hand written' };
        yield { toolName: 'set_output', input: { x: r.stepsComplete ? 1 : 0, keys: Object.keys(r).join(), state: Object.keys(r.agentState).join() } };
      }`,
    },
    script: [end],
  },
  "agent-as-tool": {
    script: (n, system) => {
      if (system.includes("SUB")) return [{ text: ["A"] }];
      return n === 0 ? [call("suba", { prompt: "direct" })] : end;
    },
    options: {
      agent: { systemPrompt: "ROOT", toolNames: ["spawn_agents"], spawnableAgents: ["suba"] },
      subs: [{ id: "suba", systemPrompt: "SUB suba" }],
    },
  },
  "output-schema-missing": {
    script: [end, [call("set_output", { data: { x: 4 } })], end],
    options: {
      agent: { toolNames: ["set_output"], spawnableAgents: [], outputMode: "structured_output", outputSchema: schema },
    },
  },
  "max-steps": { script: [[call("read_files", { paths: ["a.txt"] })]], options: { maxAgentSteps: 2 } },
  "task-completed-required": {
    script: [[{ text: ["no tool"] }], [{ text: ["again"] }], [call("task_completed", {})]],
    options: { agent: { toolNames: ["task_completed", "read_files"], spawnableAgents: [] } },
  },
  "think-only": { script: [[{ text: ["<think>hm</think>"] }], end] },
  "two-edits-same-file": {
    files: code,
    script: [
      [replace("src/a.ts", ["return 1", "return 2"]), replace("src/a.ts", ["return 2", "return 3"], ["zzz", "q"])],
      [call("read_files", { paths: ["src/a.ts"] })],
      end,
    ],
  },
  "fuzzy-replace": {
    files: code,
    script: [
      [replace("src/a.ts", ["export function foo() {\nreturn 1\n}", "X"])],
      [call("read_files", { paths: ["src/a.ts"] })],
      end,
    ],
  },
  "defect-d2-command-timeout": { script: shell("echo before; sleep 7.31; echo after", { timeout_seconds: 1 }) },
  "defect-d4-abort-in-command": {
    script: [
      [{ text: ["run"] }, call("run_terminal_command", { command: "sleep 6.17; touch aborted-marker; echo wrote" })],
      end,
    ],
    options: { abortOn: "tool_call" },
  },
  "defect-d5-abort-in-silent-stream": {
    script: [[{ text: ["part one "] }, { wait: 3000 }, { text: ["part two"] }], end],
    options: { abortAfter: 1 },
  },
  "defect-d6-custom-throws": { script: one("my_tool", { q: "x" }), options: { custom: true, customThrows: true } },
  "defect-d6-create-plan": {
    script: one("create_plan", { path: "PLAN.md", plan: "x" }),
    options: { agent: { toolNames: ["create_plan"], spawnableAgents: [] } },
  },
  "defect-d7-sibling-read": {
    files: evil,
    script: one("read_files", { paths: ["../workspace-evil/s.txt"] }),
    options: { allowAll: true },
  },
  "defect-d7-sibling-list": { files: evil, script: one("list_directory", { path: "../workspace-evil" }) },
  "background-unsupported": { script: shell("sleep 1", { process_type: "BACKGROUND" }) },
};
