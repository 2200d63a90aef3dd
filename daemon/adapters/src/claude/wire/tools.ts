import type { PermissionAction, PermissionDetail } from "@muster/schema";
import { type AskedTool, toolPermission } from "../../converter/tools/tool-permission.ts";
import { asInput, type ToolInput, textOf, toolTable } from "../../converter/tools/tool-table.ts";
import { diffOfPieces } from "../../converter/tools/unified-diff.ts";

const tools = toolTable<AskedTool>({
  Bash: { kind: "execute", action: "execute", subject: "command" },
  BashOutput: { kind: "execute", action: "other", subject: "bash_id" },
  KillShell: { kind: "execute", action: "execute", subject: "shell_id" },
  Monitor: { kind: "execute", action: "execute", subject: "command" },
  Read: { kind: "read", action: "read", path: "file_path" },
  Edit: { kind: "edit", action: "edit", path: "file_path" },
  MultiEdit: { kind: "edit", action: "edit", path: "file_path" },
  Write: { kind: "edit", action: "edit", path: "file_path" },
  NotebookEdit: { kind: "edit", action: "edit", path: "notebook_path" },
  Glob: { kind: "search", action: "read", subject: "pattern" },
  Grep: { kind: "search", action: "read", subject: "pattern" },
  ToolSearch: { kind: "search", action: "other", subject: "query" },
  WebFetch: { kind: "fetch", action: "fetch", subject: "url" },
  WebSearch: { kind: "fetch", action: "fetch", subject: "query" },
  web_search: { kind: "fetch", action: "fetch", subject: "query" },
  Agent: { kind: "agent", action: "other", subject: "description" },
  Task: { kind: "agent", action: "other", subject: "description" },
  Skill: { kind: "other", action: "other", subject: "skill" },
  TodoWrite: { kind: "think", action: "other" },
  TaskCreate: { kind: "think", action: "other", subject: "subject" },
  TaskUpdate: { kind: "think", action: "other" },
  TaskList: { kind: "think", action: "other" },
  TaskGet: { kind: "think", action: "other" },
  EnterPlanMode: { kind: "think", action: "other" },
  ExitPlanMode: { kind: "think", action: "other" },
});

export const toolKindOf = tools.kindOf;
export const titleOf = tools.titleOf;

const usual = new Set(["command", "description", "timeout", "run_in_background"]);

/** What a permission for this call is about. One that is to run outside the sandbox, say, is another command. */
export function permissionFor(name: string, input: ToolInput, directory: string | undefined) {
  return toolPermission(
    tools,
    { name, input, directory },
    {
      command: () => textOf(input.command),
      isUsual: (field, value) => usual.has(field) || value === false,
      detail: (action, { paths }) => detailOf(name, action, input, paths),
    },
  );
}

function detailOf(
  name: string,
  action: PermissionAction,
  input: ToolInput,
  paths: string[] | undefined,
): PermissionDetail {
  switch (action) {
    case "execute":
      return { tool: name, command: textOf(input.command), reason: textOf(input.description) };
    case "edit":
    case "read":
      return { tool: name, paths, diff: paths?.[0] === undefined ? undefined : plannedDiff(name, input, paths[0]) };
    case "fetch":
      return { tool: name, url: textOf(input.url), input };
    case "mcp":
    case "other":
      return { tool: name, input };
  }
}

/** What an edit would do, as far as the input tells it. */
function plannedDiff(name: string, input: ToolInput, path: string): string | undefined {
  switch (name) {
    case "Edit":
      return diffOfPieces({ path }, textOf(input.old_string) ?? "", textOf(input.new_string) ?? "");
    case "MultiEdit": {
      const edits = Array.isArray(input.edits) ? input.edits.map(asInput) : [];
      const joined = (field: string) => edits.map((edit) => textOf(edit[field]) ?? "").join("\n");
      return diffOfPieces({ path }, joined("old_string"), joined("new_string"));
    }
    case "Write":
      return diffOfPieces({ path }, "", textOf(input.content) ?? "");
    default:
      return undefined;
  }
}
