import { isAbsolute } from "node:path";
import type { AlwaysScope, PermissionAction, PermissionDetail } from "@muster/schema";
import { emit } from "../../converter/steps.ts";
import { permissionScope } from "../../converter/tools/permission-scope.ts";
import { isInside, shownPath } from "../../converter/tools/shown-path.ts";
import { permissionTitle } from "../../converter/tools/titles.ts";
import { unifiedDiff } from "../../converter/tools/unified-diff.ts";
import type { PermissionAsked } from "../../signals.ts";
import type { NativePermission, NativeQuestion } from "../wire/native.ts";
import type { Settings } from "../wire/settings.ts";
import { type OpencodeState, type OpencodeStep, withoutRequest, withPart, withRequest } from "../wire/state.ts";
import { patchedFile } from "../wire/tools.ts";
import { replyCall } from "../write/commands.ts";
import { itemOfCall, partOfCall } from "./items.ts";

/**
 * The server asks for everything that is not known to change nothing, for sub-agents too; who answers is a matter of
 * the session's mode. `bypass` is answered by the engine, without a person.
 */
export function onPermissionAsked(before: OpencodeState, asked: NativePermission): OpencodeStep {
  if (before.requests.has(asked.id)) return emit(before);
  const state = rememberDiff(before, asked);
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
  shell: "execute",
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
  const { directory } = settings;
  const isMcp = settings.mcpServers.some((name) => permission.startsWith(`${name}_`));
  const action = Object.hasOwn(actions, permission) ? (actions[permission] ?? "other") : isMcp ? "mcp" : "other";
  const command = text(metadata.command) ?? (permission === "bash" ? patterns.join(" && ") : undefined);
  const url = text(metadata.url);
  const { paths, diff } = filesOf(action, { patterns, metadata }, directory);
  const detail: PermissionDetail = {
    command,
    directory: action === "execute" ? directory : undefined,
    paths,
    diff,
    url,
    tool: permission,
  };
  const query = action === "read" && permission !== "read" ? patterns.join(", ") : undefined;
  const title = permissionTitle(action, {
    command,
    paths,
    url,
    query: action === "fetch" ? (text(metadata.query) ?? patterns.join(", ")) : query,
    tool: permission,
    otherwise: ownTitle(permission, patterns),
  });
  return {
    requestKey: id,
    action,
    title,
    detail,
    itemId,
    alwaysScope: scopeOf(action, permission, { command, paths, url, patterns }),
  };
}

/** The files a permission is about; one for a patch tells each of them. */
function filesOf(
  action: PermissionAction,
  { patterns, metadata = {} }: Pick<NativePermission, "patterns" | "metadata">,
  directory: string,
): Pick<PermissionDetail, "paths" | "diff"> {
  const files = Array.isArray(metadata.files) ? metadata.files.flatMap((file) => patchedFile(file, directory)) : [];
  if (files.length > 0) {
    return { paths: files.map(({ path }) => path), diff: files.map(({ diff = "" }) => diff).join("") || undefined };
  }
  const named = text(metadata.filepath) ?? (action === "edit" && patterns.length === 1 ? patterns[0] : undefined);
  if (named === undefined) return {};
  const path = shownPath(named, directory);
  return { paths: [path], diff: unifiedDiff({ path }, text(metadata.diff) ?? "") };
}

/** The end of a `write` does not tell what it changed; the permission for it does. */
function rememberDiff(state: OpencodeState, { tool, metadata = {} }: NativePermission): OpencodeState {
  const [id, open] = partOfCall(state, tool) ?? [];
  const planned = text(metadata.diff);
  if (id === undefined || open?.call === undefined || planned === undefined) return state;
  return withPart(state, id, { ...open, call: { ...open.call, planned } });
}

interface Subject {
  command: string | undefined;
  paths: readonly string[] | undefined;
  url: string | undefined;
  patterns: readonly string[];
}

function ownTitle(permission: string, patterns: readonly string[]): string {
  const what = patterns.join(", ");
  if (permission === "external_directory") return `Reach outside the directory: ${what}`;
  if (permission === "doom_loop") return `Go on with the same call again: ${what}`;
  return what === "" || what === "*" ? `Use ${permission}` : `Use ${permission}: ${what}`;
}

function scopeOf(
  action: PermissionAction,
  permission: string,
  { command, paths, url, patterns }: Subject,
): AlwaysScope[] {
  if (permission === "doom_loop") return [];
  const otherwise = action === "other" ? patterns.map((pattern) => `${permission} ${pattern}`) : patterns;
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

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
