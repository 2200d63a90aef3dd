import type { ToolKind } from "@muster/schema";

interface Tool {
  kind: ToolKind;
  /** The field of the input a person recognises a call by. */
  subject?: string;
}

/** name → what kind of tool it is to a client. Everything else is `other`. */
const tools: Readonly<Record<string, Tool>> = {
  read_files: { kind: "read", subject: "paths" },
  read_subtree: { kind: "read", subject: "paths" },
  read_url: { kind: "fetch", subject: "url" },
  read_docs: { kind: "fetch", subject: "libraryTitle" },
  web_search: { kind: "fetch", subject: "query" },
  write_file: { kind: "edit", subject: "path" },
  str_replace: { kind: "edit", subject: "path" },
  apply_patch: { kind: "edit" },
  propose_write_file: { kind: "edit", subject: "path" },
  propose_str_replace: { kind: "edit", subject: "path" },
  create_plan: { kind: "edit", subject: "path" },
  run_terminal_command: { kind: "execute", subject: "command" },
  kill_terminal: { kind: "execute" },
  run_file_change_hooks: { kind: "execute", subject: "files" },
  code_search: { kind: "search", subject: "pattern" },
  glob: { kind: "search", subject: "pattern" },
  list_directory: { kind: "search", subject: "path" },
  find_files: { kind: "search", subject: "prompt" },
  spawn_agents: { kind: "agent" },
  spawn_agent_inline: { kind: "agent", subject: "agent_type" },
  think_deeply: { kind: "think" },
  write_todos: { kind: "think" },
  add_subgoal: { kind: "think", subject: "objective" },
  update_subgoal: { kind: "think" },
};

const known = (name: string): Tool | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);

export function toolKindOf(name: string): ToolKind {
  return known(name)?.kind ?? "other";
}

/** A line for a person. */
export function titleOf(name: string, input: Record<string, unknown>): string | undefined {
  const field = known(name)?.subject;
  const value = field === undefined ? undefined : input[field];
  if (Array.isArray(value)) return value.every((one) => typeof one === "string") ? value.join(", ") : undefined;
  return typeof value === "string" ? value : undefined;
}
