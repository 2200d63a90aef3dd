import type { PermissionAction, PermissionDetail } from "@muster/schema";
import { permissionScope } from "../../converter/permission-scope.ts";
import { permissionTitle } from "../../converter/titles.ts";
import { type KnownTool, type ToolInput, textOf, toolTable } from "../../converter/tool-table.ts";
import { diffOfPieces } from "../../converter/unified-diff.ts";

interface Tool extends KnownTool {
  action: PermissionAction;
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

const tools = toolTable(known);
export const toolKindOf = tools.kindOf;
export const titleOf = tools.titleOf;

/** The tools Amp may use without asking. */
export const harmlessTools = Object.keys(known).filter((name) => known[name]?.isHarmless);
export const editingTools = Object.keys(known).filter((name) => known[name]?.action === "edit");

/** What a permission for this call is about. */
export function permissionFor(name: string, input: ToolInput, directory: string | undefined) {
  const action: PermissionAction = name.startsWith("mcp__") ? "mcp" : (tools.known(name)?.action ?? "other");
  const subject = tools.subjectOf(name, input);
  const paths = tools.pathsOf(name, input, directory);
  const command = action === "execute" ? subject : undefined;
  const url = textOf(input.url);
  const title = permissionTitle(action, {
    command,
    paths,
    url,
    query: subject,
    tool: name,
    otherwise: subject === undefined ? undefined : `Use ${name}: ${subject}`,
  });
  const alwaysScope = permissionScope(action, {
    command: command === undefined ? undefined : withUnusual(command, input),
    paths,
    url,
    tool: name,
    otherwise: [`${name} ${JSON.stringify(input)}`],
  });
  return { action, title, detail: detailOf(name, action, input, { command, paths }), alwaysScope };
}

/** The same command in another directory, or with more beside it, is another command. */
function withUnusual(command: string, input: ToolInput): string {
  const usual = new Set(["cmd", "command", "timeout", "description"]);
  const rest = Object.entries(input).filter(([field]) => !usual.has(field));
  return rest.length === 0 ? command : `${command} ${JSON.stringify(Object.fromEntries(rest))}`;
}

function detailOf(
  name: string,
  action: PermissionAction,
  input: ToolInput,
  { command, paths }: { command: string | undefined; paths: string[] | undefined },
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
