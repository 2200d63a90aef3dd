import type { HookEventName, RunState } from "@muster/codebuff-protocol";
import type { ScriptInput } from "@muster/scripted-llm";
import type { AgentDefinition, CodebuffClientOptions, RunOptions } from "../../src/index.ts";
import { call } from "../run-world.ts";

type Turns = NonNullable<ScriptInput["conversations"]>[number]["turns"];

/** One script as people write them for Claude Code, and what it changes. */
export interface HookRow {
  readonly event: HookEventName;
  readonly script: string;
  readonly matcher?: string;
  readonly turns: Turns;
  readonly files?: Readonly<Record<string, string>>;
  readonly run?: RunOptions & CodebuffClientOptions;
  /** An earlier run goes before, and may be changed. */
  readonly earlier?: (state: RunState) => RunState;
  /** Seen in files, results and requests with the hook; none of it is seen without. */
  readonly shows: RegExp;
  /** Not seen with the hook, seen without. */
  readonly hides?: RegExp;
}

const run = (command: string) => call("run_terminal_command", { command });
const write = (path: string, content: string) => call("write_file", { path, instructions: "x", content });
const done = { text: "Done.", times: "always" as const };
const yes = { ask: async () => ({ decision: "once" }) };

const boss: AgentDefinition = {
  id: "boss",
  displayName: "Boss",
  model: "anthropic/claude-haiku-4.5",
  toolNames: ["spawn_agents"],
  spawnableAgents: ["helper"],
};
const helper: AgentDefinition = { id: "helper", displayName: "Helper", model: boss.model, toolNames: [] };
const helpers: RunOptions & CodebuffClientOptions = { agent: "boss", agentDefinitions: [boss, helper] };
const spawn = call("spawn_agents", { agents: [{ agent_type: "helper", prompt: "What is known?" }] });

/** A history that no model's window holds. */
function grown(state: RunState): RunState {
  const { sessionState } = state;
  if (sessionState === undefined) throw new Error("The earlier run has no state");
  const long = Array.from({ length: 100 }, (_, at) => ({
    role: "assistant" as const,
    content: [{ type: "text" as const, text: `${at} ${"word ".repeat(2_500)}` }],
    sentAt: at,
  }));
  const { mainAgentState } = sessionState;
  const messageHistory = [...mainAgentState.messageHistory, ...long];
  return { ...state, sessionState: { ...sessionState, mainAgentState: { ...mainAgentState, messageHistory } } };
}

export const hookRows: readonly HookRow[] = [
  {
    event: "PostToolUse",
    script: "format-on-edit.mjs",
    matcher: "Edit|Write",
    turns: [{ tools: [write("a.txt", "one  \ntwo\t\n")] }, done],
    shows: /a\.txt: "one\\ntwo\\n"/,
    hides: /a\.txt: "one {2}/,
  },
  {
    event: "PreToolUse",
    script: "block-path.mjs",
    matcher: "Edit|MultiEdit|Write",
    turns: [{ tools: [write("vendor/x.js", "1\n"), write("src/x.js", "1\n")] }, done],
    shows: /A hook refuses it: vendor\/ is not edited here/,
    hides: /vendor\/x\.js: /,
  },
  { event: "UserPromptSubmit", script: "prompt-context.sh", turns: [done], shows: /The freeze begins on Friday/ },
  {
    event: "Notification",
    script: "notify.sh",
    matcher: "permission_prompt",
    turns: [{ tools: [run("touch made.txt")] }, done],
    run: { permissions: "default", ...yes },
    shows: /notified\.jsonl: .*"notification_type\\":\\"permission_prompt/,
  },
  {
    event: "PreToolUse",
    script: "log-commands.sh",
    matcher: "Bash",
    turns: [{ tools: [run("true")] }, done],
    shows: /commands\.jsonl: .*"tool_name\\":\\"Bash\\",\\"tool_input\\":\{\\"command\\":\\"true\\"/,
  },
  {
    event: "PreToolUse",
    script: "block-dangerous.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("rm -rf keep")] }, done],
    files: { "keep/a.txt": "here\n" },
    run: { permissions: "allow" },
    shows: /rm -rf is not for agents[\s\S]*keep\/a\.txt: "here/,
  },
  {
    event: "PreToolUse",
    script: "rewrite-command.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("echo npm > used.txt")] }, done],
    run: { permissions: "allow" },
    shows: /used\.txt: "pnpm/,
    hides: /used\.txt: "npm/,
  },
  {
    event: "PreToolUse",
    script: "auto-approve.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("touch made.txt")] }, done],
    run: { permissions: "default" },
    shows: /made\.txt: ""/,
    hides: /Denied by policy/,
  },
  {
    event: "PreToolUse",
    script: "ask-first.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("touch release.txt")] }, done],
    run: { permissions: "allow", ask: async () => ({ decision: "deny", message: "not today" }) },
    shows: /Denied: not today/,
    hides: /release\.txt: ""/,
  },
  {
    event: "PermissionRequest",
    script: "decide-permission.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("touch made.txt"), run("mkdir folder")] }, done],
    run: { permissions: "default" },
    shows: /only touch is allowed at night[\s\S]*made\.txt: ""/,
  },
  {
    event: "PostToolUse",
    script: "check-after-edit.sh",
    matcher: "Write|Edit",
    turns: [{ tools: [write("a.js", "// TODO\n")] }, done],
    shows: /lint: a TODO is left in a\.js/,
  },
  {
    event: "PostToolUseFailure",
    script: "explain-failure.mjs",
    turns: [{ tools: [run("deploy; exit 3"), call("list_directory", { path: "nowhere" })] }, done],
    shows: /See docs\/failures\.md for: /,
  },
  {
    event: "SessionStart",
    script: "load-context.sh",
    matcher: "startup",
    turns: [done],
    shows: /Open issues: 12, 14/,
  },
  {
    event: "SessionStart",
    script: "welcome-back.mjs",
    matcher: "resume",
    turns: [done],
    earlier: (state) => state,
    shows: /Somebody pushed meanwhile/,
  },
  {
    event: "UserPromptSubmit",
    script: "no-passwords.mjs",
    turns: [done],
    run: { prompt: "my Password is 1234" },
    shows: /does not let this prompt pass: it holds a password/,
    hides: /Done\./,
  },
  {
    event: "Stop",
    script: "finish-first.mjs",
    turns: [{ text: "Done." }, { text: "Really done.", times: "always" }],
    shows: /CHANGELOG\.md has no line yet[\s\S]*Really done/,
  },
  {
    event: "SubagentStart",
    script: "brief-helper.mjs",
    matcher: "helper",
    turns: [{ match: { firstUser: "What is known" }, text: "Little." }, { tools: [spawn] }, done],
    run: helpers,
    shows: /Answer in one sentence/,
  },
  {
    event: "SubagentStop",
    script: "check-helper.mjs",
    matcher: "helper",
    turns: [
      { match: { body: "Name your source" }, text: "Little. source: a book" },
      { match: { firstUser: "What is known" }, text: "Little." },
      { tools: [spawn] },
      done,
    ],
    run: helpers,
    shows: /source: a book/,
  },
  {
    event: "PreCompact",
    script: "save-transcript.sh",
    matcher: "auto",
    turns: [done],
    earlier: grown,
    shows: /compacted\.jsonl: .*"trigger\\":\\"auto/,
  },
  {
    event: "SessionEnd",
    script: "say-goodbye.sh",
    turns: [done],
    shows: /ended\.jsonl: .*"reason\\":\\"other/,
  },
  {
    event: "PostToolUse",
    script: "stop-everything.mjs",
    matcher: "Bash",
    turns: [{ tools: [run("true")] }, { text: "Going on." }],
    shows: /A hook ends the run: the night is over/,
    hides: /Going on/,
  },
  {
    event: "PreToolUse",
    script: "audit-reads.sh",
    matcher: "Read",
    turns: [{ tools: [call("read_files", { paths: ["a.txt", "b.txt"] })] }, done],
    files: { "a.txt": "1\n", "b.txt": "2\n" },
    shows: /reads\.jsonl: .*\/a\.txt.*\/b\.txt/,
  },
];
