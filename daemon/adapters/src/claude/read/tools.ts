import type { PermissionAction, PermissionDetail, ToolKind } from "@muster/schema";
import { permissionScope } from "../../converter/permission-scope.ts";
import { lineDiff } from "./diff.ts";

export type ToolInput = Record<string, unknown>;

interface Tool {
  kind: ToolKind;
  action: PermissionAction;
  /** The field of the input a person recognises a call by. */
  subject?: string;
  verb?: string;
}

/** name → what kind of tool it is to a client. Everything else is `other`. */
const tools: Readonly<Record<string, Tool>> = {
  Bash: { kind: "execute", action: "execute", subject: "command", verb: "Run" },
  BashOutput: { kind: "execute", action: "other", subject: "bash_id" },
  KillShell: { kind: "execute", action: "execute", subject: "shell_id" },
  Monitor: { kind: "execute", action: "execute", subject: "command", verb: "Watch" },
  Read: { kind: "read", action: "read", subject: "file_path", verb: "Read" },
  Edit: { kind: "edit", action: "edit", subject: "file_path", verb: "Edit" },
  MultiEdit: { kind: "edit", action: "edit", subject: "file_path", verb: "Edit" },
  Write: { kind: "edit", action: "edit", subject: "file_path", verb: "Write" },
  NotebookEdit: { kind: "edit", action: "edit", subject: "notebook_path", verb: "Edit" },
  Glob: { kind: "search", action: "read", subject: "pattern", verb: "Find" },
  Grep: { kind: "search", action: "read", subject: "pattern", verb: "Search" },
  ToolSearch: { kind: "search", action: "other", subject: "query" },
  WebFetch: { kind: "fetch", action: "fetch", subject: "url", verb: "Fetch" },
  WebSearch: { kind: "fetch", action: "fetch", subject: "query", verb: "Search the web:" },
  Agent: { kind: "agent", action: "other", subject: "description" },
  Task: { kind: "agent", action: "other", subject: "description" },
  Skill: { kind: "other", action: "other", subject: "skill", verb: "Use the skill" },
  TodoWrite: { kind: "think", action: "other" },
  TaskCreate: { kind: "think", action: "other", subject: "subject" },
  TaskUpdate: { kind: "think", action: "other" },
  TaskList: { kind: "think", action: "other" },
  TaskGet: { kind: "think", action: "other" },
  EnterPlanMode: { kind: "think", action: "other" },
  ExitPlanMode: { kind: "think", action: "other" },
};

const known = (name: string): Tool | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);
const isMcp = (name: string) => name.startsWith("mcp__");

export function toolKindOf(name: string): ToolKind {
  return known(name)?.kind ?? "other";
}

/** A line for a person; undefined while the input is not known. */
export function titleOf(name: string, input: unknown): string | undefined {
  return subjectOf(name, input);
}

function subjectOf(name: string, input: unknown): string | undefined {
  const field = known(name)?.subject;
  const value = field === undefined ? undefined : asInput(input)[field];
  return typeof value === "string" ? value : undefined;
}

export function asInput(input: unknown): ToolInput {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as ToolInput) : {};
}

/** What a permission for this call is about. */
export function permissionFor(name: string, input: ToolInput) {
  const action: PermissionAction = isMcp(name) ? "mcp" : (known(name)?.action ?? "other");
  const subject = subjectOf(name, input);
  const title = subject === undefined ? `Use ${name}` : `${known(name)?.verb ?? `Use ${name}:`} ${subject}`;
  const alwaysScope = permissionScope(action, {
    command: subject === undefined ? undefined : withUnusualOptions(subject, input),
    paths: subject === undefined ? undefined : [subject],
    url: textOf(input.url),
    tool: name,
    otherwise: [`${name} ${JSON.stringify(input)}`],
  });
  return { action, title, detail: detailOf(name, action, input, subject), alwaysScope };
}

/** A command that is to run in another way than usual, such as outside the sandbox, is another command. */
function withUnusualOptions(command: string, input: ToolInput): string {
  const usual = new Set(["command", "description", "timeout", "run_in_background"]);
  const rest = Object.entries(input).filter(([field, value]) => !usual.has(field) && value !== false);
  return rest.length === 0 ? command : `${command} ${JSON.stringify(Object.fromEntries(rest))}`;
}

function detailOf(
  name: string,
  action: PermissionAction,
  input: ToolInput,
  subject: string | undefined,
): PermissionDetail {
  switch (action) {
    case "execute":
      return { tool: name, command: subject, reason: textOf(input.description) };
    case "edit":
    case "read":
      return { tool: name, paths: pathsOf(input), diff: plannedDiff(name, input) };
    case "fetch":
      return { tool: name, url: textOf(input.url), input };
    case "mcp":
    case "other":
      return { tool: name, input };
  }
}

function pathsOf(input: ToolInput): string[] | undefined {
  const path = textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(input.path);
  return path === undefined ? undefined : [path];
}

/** What an edit would do, as far as the input tells it. */
function plannedDiff(name: string, input: ToolInput): string | undefined {
  if (name === "Edit") return lineDiff(textOf(input.old_string) ?? "", textOf(input.new_string) ?? "");
  if (name === "Write") return lineDiff("", textOf(input.content) ?? "");
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
