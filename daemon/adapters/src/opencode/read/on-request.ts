import { isAbsolute, relative } from "node:path";
import type { AlwaysScope, PermissionAction, PermissionDetail } from "@muster/schema";
import { permissionScope } from "../../converter/permission-scope.ts";
import { emit } from "../../converter/steps.ts";
import type { PermissionAsked } from "../../signals.ts";
import { replyCall } from "../write/commands.ts";
import { itemOfCall } from "./items.ts";
import type { NativePermission, NativeQuestion } from "./native.ts";
import type { Settings } from "./settings.ts";
import { type OpencodeState, type OpencodeStep, withoutRequest, withRequest } from "./state.ts";

/**
 * The server asks for everything that is not known to change nothing, for sub-agents too; who answers is a matter of
 * the session's mode. `bypass` is answered by the engine, without a person.
 */
export function onPermissionAsked(state: OpencodeState, asked: NativePermission): OpencodeStep {
  if (state.requests.has(asked.id)) return emit(state);
  const { settings } = state;
  const permission = permissionOf(asked, settings, itemOfCall(state, asked.tool));
  if (settings.permissionMode === "acceptEdits" && isEditInside(asked, settings)) {
    return { state, bodies: [], replies: [replyCall(asked.id, "allow", undefined)] };
  }
  if (settings.permissionMode === "plan" && wouldChange(permission.action, asked)) {
    const message = "The session is in plan mode: nothing may be changed. Describe what you would do instead.";
    const data = { ...permission, decision: "reject", message } as const;
    return {
      state,
      bodies: [{ type: "permission.decided", data }],
      replies: [replyCall(asked.id, "reject", message)],
    };
  }
  return emit(withRequest(state, asked.id), { type: "permission.asked", data: permission });
}

export function onQuestionAsked(state: OpencodeState, asked: NativeQuestion): OpencodeStep {
  if (state.requests.has(asked.id)) return emit(state);
  const questions = asked.questions.map(({ question, header, options, multiple, custom }, index) => ({
    id: `q${index + 1}`,
    question,
    header,
    type: "string" as const,
    options: options.map(({ label, description }) => ({ id: label, label, description })),
    multiSelect: multiple ?? false,
    allowCustom: custom ?? true,
  }));
  const itemId = itemOfCall(state, asked.tool);
  const data = { requestKey: asked.id, kind: "question" as const, questions, itemId };
  return emit(withRequest(state, asked.id), { type: "question.asked", data });
}

/** A request that still waits here was answered by somebody else: another client, or OpenCode with another answer. */
export function onRequestSettled(state: OpencodeState, requestKey: string): OpencodeStep {
  if (!state.requests.has(requestKey)) return emit(state);
  return emit(withoutRequest(state, requestKey), { type: "request.withdrawn", data: { requestKey } });
}

const actions: Readonly<Record<string, PermissionAction>> = {
  bash: "execute",
  edit: "edit",
  read: "read",
  list: "read",
  glob: "read",
  grep: "read",
  lsp: "read",
  webfetch: "fetch",
  websearch: "fetch",
  codesearch: "fetch",
};

function permissionOf(
  { id, permission, patterns, metadata = {} }: NativePermission,
  settings: Settings,
  itemId: string | undefined,
): PermissionAsked {
  const isMcp = settings.mcpServers.some((name) => permission.startsWith(`${name}_`));
  const action = Object.hasOwn(actions, permission) ? (actions[permission] ?? "other") : isMcp ? "mcp" : "other";
  const command = text(metadata.command) ?? (permission === "bash" ? patterns.join(" && ") : undefined);
  const path = text(metadata.filepath);
  const url = text(metadata.url);
  const detail: PermissionDetail = {
    command,
    directory: action === "execute" ? settings.directory : undefined,
    paths: path === undefined ? undefined : [path],
    diff: text(metadata.diff),
    url,
    tool: permission,
  };
  return {
    requestKey: id,
    action,
    title: titleOf(permission, { command, path, url, patterns }, settings),
    detail,
    itemId,
    alwaysScope: scopeOf(action, permission, { command, path, url, patterns }),
  };
}

interface Subject {
  command: string | undefined;
  path: string | undefined;
  url: string | undefined;
  patterns: readonly string[];
}

function titleOf(permission: string, { command, path, url, patterns }: Subject, { directory }: Settings): string {
  const what = patterns.join(", ");
  switch (permission) {
    case "bash":
      return command ?? what;
    case "edit":
      return `Edit ${path === undefined ? what : showPath(path, directory)}`;
    case "webfetch":
      return `Fetch ${url ?? what}`;
    case "external_directory":
      return `Reach outside the directory: ${what}`;
    case "doom_loop":
      return `Go on with the same call again: ${what}`;
    default:
      return what === "" || what === "*" ? permission : `${permission} ${what}`;
  }
}

function scopeOf(
  action: PermissionAction,
  permission: string,
  { command, path, url, patterns }: Subject,
): AlwaysScope[] {
  if (permission === "doom_loop") return [];
  const otherwise = action === "other" ? patterns.map((pattern) => `${permission} ${pattern}`) : patterns;
  const paths = path === undefined ? undefined : [path];
  return permissionScope(action, { command, paths, url, tool: permission, otherwise });
}

function isEditInside({ permission, metadata = {} }: NativePermission, { directory }: Settings): boolean {
  const path = text(metadata.filepath);
  return permission === "edit" && path !== undefined && isAbsolute(path) && isInside(path, directory);
}

/** In plan mode what only looks, or leads out of the directory to look, is still a person's to allow. */
function wouldChange(action: PermissionAction, { permission }: NativePermission): boolean {
  if (permission === "external_directory" || permission === "doom_loop") return false;
  return action !== "read" && action !== "fetch";
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

function showPath(path: string, directory: string): string {
  return isInside(path, directory) ? relative(directory, path) : path;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
