import { quoteForShell } from "@muster/core";
import type { AgentName } from "../request/agent-names.ts";
import { asList, asRecord, asText } from "../request/json-reading.ts";
import type { OfferedTool } from "../request/model-request.ts";
import type { ToolCall } from "../script/script.ts";
import { codexCommand, codexFunction, codexPatch, patchLines } from "./codex-tools.ts";
import type { NativeCall } from "./native-call.ts";

type Input = Record<string, unknown>;
type Translation = (input: Input, offered: readonly OfferedTool[]) => NativeCall | { problem: string };

/** Arguments under another name; those not listed keep theirs, those named null the agent does not take. */
function rename(name: string, names: Record<string, string | null>, added: Input = {}): Translation {
  return (input) => {
    const taken = Object.entries(input).filter(([key]) => names[key] !== null);
    const entries = taken.map(([key, value]) => [names[key] ?? key, value] as const);
    return { name, input: { ...added, ...Object.fromEntries(entries) } };
  };
}

/** Claude Code 2.1.325 has its search tools only on some models; a command does the same everywhere. */
function ifOffered(name: string, command: (input: Input) => string): Translation {
  return (input, offered) => {
    if (offered.some((tool) => tool.name === name)) return { name, input };
    return { name: "Bash", input: { command: command(input), description: "Search" } };
  };
}

/** Claude Code 2.1.325 refuses a list it does not offer, and offers one, or a tool for one task, or neither. */
function claudeTodo(
  todos: readonly { content: string; status: string; activeForm: string }[],
  offered: readonly OfferedTool[],
): NativeCall | { problem: string } {
  const has = (name: string) => offered.some((tool) => tool.name === name);
  if (offered.length === 0 || has("TodoWrite")) return { name: "TodoWrite", input: { todos: [...todos] } };
  const [first, ...others] = todos;
  if (first === undefined || others.length > 0 || !has("TaskCreate")) {
    return { problem: "claude offers no list here: TodoWrite is not among its tools, and TaskCreate takes one task" };
  }
  const { content, activeForm } = first;
  return { name: "TaskCreate", input: { subject: content, description: content, activeForm } };
}

/** Neutral tool → what each agent calls it and how it wants the arguments. One line per agent; a gap is an error. */
const table = {
  /** command, description?, cwd? */
  run_command: {
    claude: ({ command, cwd, ...others }) => {
      const line = cwd === undefined ? command : `cd ${quoteForShell(asText(cwd))} && ${asText(command)}`;
      return { name: "Bash", input: { command: line, description: "Run a command", ...others } };
    },
    codex: (input, offered) => codexCommand(asText(input.command), input, offered),
    opencode: rename("bash", { cwd: "workdir", description: null }),
    codebuff: rename("run_terminal_command", { description: null }, { process_type: "SYNC", timeout_seconds: 30 }),
    amp: rename("Bash", { command: "cmd", description: null }),
  },
  /** path */
  read_file: {
    claude: rename("Read", { path: "file_path" }),
    codex: (input, offered) => codexCommand(`cat ${quoteForShell(asText(input.path))}`, {}, offered),
    opencode: rename("read", { path: "filePath" }),
    codebuff: (input) => ({ name: "read_files", input: { paths: [input.path] } }),
    amp: rename("Read", {}),
  },
  /** path, content */
  write_file: {
    claude: rename("Write", { path: "file_path" }),
    codex: (input, offered) =>
      codexPatch(`*** Add File: ${asText(input.path)}\n${patchLines("+", input.content)}`, offered),
    opencode: rename("write", { path: "filePath" }),
    codebuff: rename("write_file", {}, { instructions: "Write the file" }),
    amp: rename("create_file", {}),
  },
  /** path, old, new; whole lines, for Codex replaces lines */
  edit_file: {
    claude: rename("Edit", { path: "file_path", old: "old_string", new: "new_string" }),
    codex: (input, offered) => {
      const hunk = `${patchLines("-", input.old)}\n${patchLines("+", input.new)}`;
      return codexPatch(`*** Update File: ${asText(input.path)}\n@@\n${hunk}`, offered);
    },
    opencode: rename("edit", { path: "filePath", old: "oldString", new: "newString" }),
    codebuff: ({ path, old, new: next }) => {
      return { name: "str_replace", input: { path, replacements: [{ old, new: next, allowMultiple: false }] } };
    },
    amp: rename("edit_file", { old: "old_str", new: "new_str" }),
  },
  /** pattern, path? */
  find_files: {
    claude: ifOffered("Glob", (input) => `find . -path ${quoteForShell(`./${asText(input.pattern)}`)}`),
    codex: (input, offered) => codexCommand(`rg --files -g ${quoteForShell(asText(input.pattern))}`, {}, offered),
    opencode: rename("glob", {}),
    codebuff: rename("glob", { path: "cwd" }),
  },
  /** pattern, path? */
  search: {
    claude: ifOffered("Grep", (input) => `grep -rn -e ${quoteForShell(asText(input.pattern))} .`),
    codex: (input, offered) => codexCommand(`rg -n ${quoteForShell(asText(input.pattern))}`, {}, offered),
    opencode: rename("grep", {}),
    codebuff: rename("code_search", { path: "cwd" }),
  },
  /** questions: {question, header?, options: {label, description?}[], multiple?}[] */
  ask_question: {
    claude: (input) => ({ name: "AskUserQuestion", input: { questions: questions(input, "multiSelect") } }),
    codex: (input, offered) => {
      const asked = questions(input).map((question, at) => ({ id: `question_${at + 1}`, ...question }));
      return codexFunction("request_user_input", { questions: asked }, offered);
    },
    opencode: (input) => ({ name: "question", input: { questions: questions(input, "multiple") } }),
    codebuff: (input) => ({ name: "ask_user", input: { questions: questions(input, "multiSelect") } }),
  },
  /** items: {text, status: pending | in_progress | completed}[] */
  todo: {
    claude: (input, offered) => {
      const todos = items(input).map(({ text, status }) => ({ content: text, status, activeForm: text }));
      return claudeTodo(todos, offered);
    },
    codex: (input, offered) => {
      const plan = items(input).map(({ text, status }) => ({ step: text, status }));
      return codexFunction("update_plan", { plan }, offered);
    },
    opencode: (input) => {
      const todos = items(input).map(({ text, status }) => ({ content: text, status, priority: "medium" }));
      return { name: "todowrite", input: { todos } };
    },
    codebuff: (input) => {
      const todos = items(input).map(({ text, status }) => ({ task: text, completed: status === "completed" }));
      return { name: "write_todos", input: { todos } };
    },
    amp: (input) => {
      const todos = items(input).map(({ text, status }, at) => {
        return { id: String(at + 1), content: text, status: status.replace("_", "-") };
      });
      return { name: "todo_write", input: { todos } };
    },
  },
  /** prompt, description?, type? */
  subagent: {
    claude: rename(
      "Agent",
      { type: "subagent_type" },
      { description: "Sub-agent", subagent_type: "general-purpose", run_in_background: false },
    ),
    codex: (input, offered) => {
      return codexFunction("spawn_agent", { message: input.prompt, task_name: "sub_agent" }, offered);
    },
    opencode: rename("task", { type: "subagent_type" }, { description: "Sub-agent", subagent_type: "general" }),
    codebuff: (input) => {
      return { name: "spawn_agents", input: { agents: [{ agent_type: input.type, prompt: input.prompt }] } };
    },
    amp: rename("Task", {}, { description: "Sub-agent" }),
  },
  /** url */
  fetch_url: {
    claude: rename("WebFetch", {}, { prompt: "Show the page" }),
    opencode: rename("webfetch", {}, { format: "text" }),
  },
} satisfies Record<string, Partial<Record<AgentName, Translation>>>;

export const neutralTools: ReadonlyMap<string, Partial<Record<AgentName, Translation>>> = new Map(
  Object.entries(table),
);

/** The call as the agent knows it. Native names, and calls to a client that is no agent we know, pass untouched. */
export function nativeCall(
  call: ToolCall,
  agent: AgentName | undefined,
  offered: readonly OfferedTool[],
): NativeCall | { problem: string } {
  const { name, input, text, namespace } = call;
  const row = call.native === true || agent === undefined ? undefined : neutralTools.get(name);
  if (agent === undefined || row === undefined) {
    return {
      name,
      ...(text === undefined ? { input: input ?? {} } : { text }),
      namespace,
    };
  }
  const translate = row[agent];
  return translate === undefined ? { problem: `${agent} has no tool for "${name}"` } : translate(input ?? {}, offered);
}

function questions(input: Input, multiple?: string): Input[] {
  return asList(input.questions).map((entry) => {
    const question = asRecord(entry);
    const options = asList(question.options).map((option) => ({ description: "", ...asRecord(option) }));
    const header = asText(question.header) || "Question";
    const asked = { question: question.question, header, options };
    return multiple === undefined ? asked : { ...asked, [multiple]: question.multiple === true };
  });
}

function items(input: Input): { text: string; status: string }[] {
  return asList(input.items).map((entry) => {
    const item = asRecord(entry);
    return { text: asText(item.text), status: asText(item.status) || "pending" };
  });
}
