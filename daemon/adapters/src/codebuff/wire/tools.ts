import { shownPath } from "../../converter/tools/shown-path.ts";
import { listed, pathsInPatch } from "../../converter/tools/titles.ts";
import { asInput, textOf, toolTable } from "../../converter/tools/tool-table.ts";

const tools = toolTable({
  read_files: { kind: "read", path: "paths" },
  read_subtree: { kind: "read", path: "paths" },
  read_url: { kind: "fetch", subject: "url" },
  read_docs: { kind: "fetch", subject: "libraryTitle" },
  web_search: { kind: "fetch", subject: "query" },
  write_file: { kind: "edit", path: "path" },
  str_replace: { kind: "edit", path: "path" },
  apply_patch: { kind: "edit" },
  propose_write_file: { kind: "edit", path: "path" },
  propose_str_replace: { kind: "edit", path: "path" },
  create_plan: { kind: "edit", path: "path" },
  run_terminal_command: { kind: "execute", subject: "command" },
  kill_terminal: { kind: "execute" },
  run_file_change_hooks: { kind: "execute", path: "files" },
  code_search: { kind: "search", subject: "pattern" },
  glob: { kind: "search", subject: "pattern" },
  list_directory: { kind: "search", path: "path" },
  find_files: { kind: "search", subject: "prompt" },
  spawn_agents: { kind: "agent" },
  spawn_agent_inline: { kind: "agent", subject: "agent_type" },
  think_deeply: { kind: "think" },
  write_todos: { kind: "think" },
  add_subgoal: { kind: "think", subject: "objective" },
  update_subgoal: { kind: "think" },
});

export const toolKindOf = tools.kindOf;

export function titleOf(name: string, input: unknown, directory: string | undefined): string | undefined {
  return tools.titleOf(name, input, directory) ?? listed(patchPaths(input, directory));
}

function patchPaths(input: unknown, directory: string | undefined): string[] {
  const { path, newPath, patch } = asInput(asInput(input).operation);
  const named = textOf(newPath) ?? textOf(path);
  return named === undefined ? pathsInPatch(textOf(patch) ?? "", directory) : [shownPath(named, directory)];
}
