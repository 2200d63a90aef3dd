import type { PermissionAction, PermissionDetail } from "@muster/schema";
import { type AskedTool, toolPermission } from "../../converter/tools/tool-permission.ts";
import { type ToolInput, textOf, toolTable } from "../../converter/tools/tool-table.ts";
import { diffOfPieces } from "../../converter/tools/unified-diff.ts";

interface Tool extends AskedTool {
  /** Runs without asking, except where everything does. */
  isHarmless?: true;
}

const harmless = { action: "read", isHarmless: true } as const;

const known: Readonly<Record<string, Tool>> = {
  Bash: { kind: "execute", action: "execute", subject: "cmd" },
  shell_command: { kind: "execute", action: "execute", subject: "command" },
  async_shell_command: { kind: "execute", action: "execute", subject: "command" },
  Read: { kind: "read", path: "path", ...harmless },
  look_at: { kind: "read", path: "path", ...harmless },
  create_file: { kind: "edit", action: "edit", path: "path" },
  edit_file: { kind: "edit", action: "edit", path: "path" },
  undo_edit: { kind: "edit", action: "edit", path: "path" },
  glob: { kind: "search", subject: "filePattern", ...harmless },
  Grep: { kind: "search", subject: "pattern", ...harmless },
  finder: { kind: "search", subject: "query", ...harmless },
  find_thread: { kind: "search", subject: "query", ...harmless },
  read_thread: { kind: "read", subject: "threadID", ...harmless },
  read_web_page: { kind: "fetch", action: "fetch", subject: "url" },
  web_search: { kind: "fetch", action: "fetch", subject: "objective" },
  Task: { kind: "agent", subject: "description", ...harmless },
  oracle: { kind: "agent", subject: "task", ...harmless },
  librarian: { kind: "agent", subject: "query", ...harmless },
  todo_read: { kind: "think", ...harmless },
  todo_write: { kind: "think", ...harmless },
  task_list: { kind: "think", ...harmless },
  mermaid: { kind: "think", ...harmless },
  skill: { kind: "other", subject: "name", ...harmless },
};

const tools = toolTable<AskedTool>(known);
export const toolKindOf = tools.kindOf;
export const titleOf = tools.titleOf;

/** The tools Amp may use without asking. */
export const harmlessTools = Object.keys(known).filter((name) => known[name]?.isHarmless);
export const editingTools = Object.keys(known).filter((name) => known[name]?.action === "edit");

const usual = new Set(["cmd", "command", "timeout", "description"]);

/** What a permission for this call is about. The same command in another directory is another command. */
export function permissionFor(name: string, input: ToolInput, directory: string | undefined) {
  return toolPermission(
    tools,
    { name, input, directory },
    {
      command: (action, subject) => (action === "execute" ? subject : undefined),
      isUsual: (field) => usual.has(field),
      detail: (action, about) => detailOf(name, action, input, about),
    },
  );
}

function detailOf(
  name: string,
  action: PermissionAction,
  input: ToolInput,
  { command, paths }: { command?: string; paths?: string[] },
): PermissionDetail {
  switch (action) {
    case "execute":
      return { tool: name, command, directory: textOf(input.cwd) };
    case "edit":
    case "read": {
      const diff = paths?.[0] === undefined ? undefined : askedDiff(name, input, paths[0]);
      return { tool: name, paths, diff, input: diff === undefined ? input : undefined };
    }
    case "fetch":
      return { tool: name, url: textOf(input.url), input };
    case "mcp":
    case "other":
      return { tool: name, input };
  }
}

/** What an edit does, as far as its input tells it. */
export function askedDiff(name: string, input: ToolInput, path: string): string | undefined {
  if (name === "create_file") return diffOfPieces({ path }, "", textOf(input.content) ?? "");
  if (name !== "edit_file") return undefined;
  return diffOfPieces({ path }, textOf(input.old_str) ?? "", textOf(input.new_str) ?? "");
}
