type Input = Readonly<Record<string, unknown>>;

/** What of a call's input tells a person what it does. */
const titles: Readonly<Record<string, (input: Input) => unknown>> = {
  read_files: ({ paths }) => paths,
  read_subtree: ({ paths }) => paths,
  write_file: ({ path }) => path,
  str_replace: ({ path }) => path,
  propose_write_file: ({ path }) => path,
  propose_str_replace: ({ path }) => path,
  create_plan: ({ path }) => path,
  apply_patch: ({ operation }) => fieldOf(operation, "path") ?? pathsOfPatch(fieldOf(operation, "patch")),
  run_terminal_command: ({ command, input, command_signal }) => command ?? input ?? command_signal ?? "read output",
  code_search: ({ pattern }) => pattern,
  glob: ({ pattern }) => pattern,
  list_directory: ({ path }) => path,
  find_files: ({ prompt }) => prompt,
  web_search: ({ query }) => query,
  read_docs: ({ libraryTitle, topic }) => [libraryTitle, topic],
  read_url: ({ url }) => url,
  spawn_agents: ({ agents }) => listOf(agents).map((agent) => fieldOf(agent, "agent_type")),
  spawn_agent_inline: ({ agent_type }) => agent_type,
  ask_user: ({ questions }) => fieldOf(listOf(questions)[0], "question"),
  add_subgoal: ({ objective, id }) => objective ?? id,
  update_subgoal: ({ id, status, log }) => [id, status, log],
  write_todos: ({ todos }) => todoCount(listOf(todos)),
  skill: ({ name }) => name,
  suggest_followups: ({ followups }) => `${listOf(followups).length}`,
};

/** The word for a call: what the person was asked is no tool to them. */
export function toolLabel({ toolName, permission }: { toolName: string; permission?: unknown }): string {
  if (permission !== undefined) return "permission";
  if (toolName === "suggest_followups") return "follow-ups";
  return toolName === "ask_user" ? "question" : toolName;
}

/** One short text for a call, such as the path it edits or the command it runs. */
export function toolTitle(toolName: string, input: Input): string {
  const shown = titles[toolName]?.(input) ?? Object.values(input).find((value) => typeof value === "string");
  return (Array.isArray(shown) ? shown : [shown]).filter((part) => typeof part === "string").join(", ");
}

const pathTools: ReadonlySet<string> = new Set([
  "read_files",
  "read_subtree",
  "write_file",
  "str_replace",
  "propose_write_file",
  "propose_str_replace",
  "create_plan",
  "apply_patch",
  "list_directory",
]);

/** The files and directories that the title of a call names, in its order. */
export function toolPaths(toolName: string, input: Input): string[] {
  const named = pathTools.has(toolName) ? titles[toolName]?.(input) : undefined;
  return (Array.isArray(named) ? named : [named]).filter((path) => typeof path === "string");
}

function todoCount(todos: readonly unknown[]): string {
  return `${todos.filter((todo) => fieldOf(todo, "completed") === true).length} of ${todos.length} done`;
}

/** Both forms of a patch name their files on lines of their own; a deleted one has its name only on the first. */
function pathsOfPatch(patch: unknown): string[] {
  if (typeof patch !== "string") return [];
  const sections = [...patch.matchAll(/^\s*\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = ""]) => path);
  const diffs = [...patch.matchAll(/^diff --git a\/.+ b\/(.+)$/gm)].map(([, path = ""]) => path);
  return [...sections, ...diffs];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
