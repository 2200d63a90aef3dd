import type { PermissionAction, PermissionDetail, ToolKind } from "@muster/schema";
import { permissionScope } from "../../converter/permission-scope.ts";

type ToolInput = Record<string, unknown>;

interface Tool {
  kind: ToolKind;
  action: PermissionAction;
  /** The field a person recognises a call by. */
  subject?: string;
  verb?: string;
  /** Runs without asking, except where everything does. */
  isHarmless?: true;
}

const harmless = { action: "read", isHarmless: true } as const;

/** name → what kind of tool it is to a client. Everything else is `other`. */
const tools: Readonly<Record<string, Tool>> = {
  Bash: { kind: "execute", action: "execute", subject: "cmd", verb: "Run" },
  shell_command: { kind: "execute", action: "execute", subject: "command", verb: "Run" },
  async_shell_command: { kind: "execute", action: "execute", subject: "command", verb: "Run" },
  Read: { kind: "read", subject: "path", ...harmless },
  look_at: { kind: "read", subject: "path", ...harmless },
  create_file: { kind: "edit", action: "edit", subject: "path", verb: "Write" },
  edit_file: { kind: "edit", action: "edit", subject: "path", verb: "Edit" },
  undo_edit: { kind: "edit", action: "edit", subject: "path", verb: "Undo the last edit of" },
  glob: { kind: "search", subject: "filePattern", ...harmless },
  Grep: { kind: "search", subject: "pattern", ...harmless },
  finder: { kind: "search", subject: "query", ...harmless },
  find_thread: { kind: "search", subject: "query", ...harmless },
  read_thread: { kind: "read", subject: "threadID", ...harmless },
  read_web_page: { kind: "fetch", action: "fetch", subject: "url", verb: "Fetch" },
  web_search: { kind: "fetch", action: "fetch", subject: "objective", verb: "Search the web:" },
  Task: { kind: "agent", subject: "description", ...harmless },
  oracle: { kind: "agent", subject: "task", ...harmless },
  librarian: { kind: "agent", subject: "query", ...harmless },
  todo_read: { kind: "think", ...harmless },
  todo_write: { kind: "think", ...harmless },
  task_list: { kind: "think", ...harmless },
  mermaid: { kind: "think", ...harmless },
  skill: { kind: "other", subject: "name", ...harmless },
};

const known = (name: string): Tool | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);

/** The tools Amp may use without asking. */
export const harmlessTools = Object.keys(tools).filter((name) => tools[name]?.isHarmless);
export const editingTools = Object.keys(tools).filter((name) => tools[name]?.action === "edit");

export function toolKindOf(name: string): ToolKind {
  return known(name)?.kind ?? "other";
}

/** A line for a person; undefined while the input is not known. */
export function titleOf(name: string, input: unknown): string | undefined {
  const field = known(name)?.subject;
  return field === undefined ? undefined : textOf(asInput(input)[field]);
}

/** What a permission for this call is about. */
export function permissionFor(name: string, input: ToolInput) {
  const action: PermissionAction = name.startsWith("mcp__") ? "mcp" : (known(name)?.action ?? "other");
  const subject = titleOf(name, input);
  const title = subject === undefined ? `Use ${name}` : `${known(name)?.verb ?? `Use ${name}:`} ${subject}`;
  const alwaysScope = permissionScope(action, {
    command: subject === undefined ? undefined : withUnusual(subject, input),
    paths: subject === undefined ? undefined : [subject],
    url: textOf(input.url),
    tool: name,
    otherwise: [`${name} ${JSON.stringify(input)}`],
  });
  return { action, title, detail: detailOf(name, action, input, subject), alwaysScope };
}

/** The same command in another directory, or with more beside it, is another command. */
function withUnusual(command: string, input: ToolInput): string {
  const usual = new Set(["cmd", "command", "timeout", "description"]);
  const rest = Object.entries(input).filter(([field]) => !usual.has(field));
  return rest.length === 0 ? command : `${command} ${JSON.stringify(Object.fromEntries(rest))}`;
}

function detailOf(name: string, action: PermissionAction, input: ToolInput, subject?: string): PermissionDetail {
  switch (action) {
    case "execute":
      return { tool: name, command: subject, directory: textOf(input.cwd) };
    case "edit":
    case "read":
      return { tool: name, paths: subject === undefined ? undefined : [subject], input };
    case "fetch":
      return { tool: name, url: textOf(input.url), input };
    case "mcp":
    case "other":
      return { tool: name, input };
  }
}

export function asInput(input: unknown): ToolInput {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as ToolInput) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
