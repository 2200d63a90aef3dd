import { withEntry } from "@muster/core";
import type { AlwaysScope, PermissionAction, PermissionDetail } from "@muster/schema";
import { type RpcId, refusal } from "../../channel/json-rpc.ts";
import { emit } from "../../converter/steps.ts";
import { permissionScope } from "../../converter/tools/permission-scope.ts";
import { isInside, shownPath } from "../../converter/tools/shown-path.ts";
import { permissionTitle } from "../../converter/tools/titles.ts";
import type { PermissionAsked } from "../../signals.ts";
import { formOf } from "../wire/forms.ts";
import type { Asked, UserQuestion } from "../wire/native.ts";
import { type CodexState, type CodexStep, keyOf, type OpenRequest, reply } from "../wire/state.ts";
import { allow, decline } from "../write/replies.ts";
import { readableCommand } from "./shell-words.ts";
import { diffOf, mcpToolName } from "./tool-items.ts";

/** A command, input to a running one, or a host on the network. */
export function onCommandApproval(
  state: CodexState,
  id: RpcId,
  asked: Asked<"item/commandExecution/requestApproval">,
): CodexStep {
  const { threadId, itemId, reason, cwd, networkApprovalContext: network, kind = "command" } = asked;
  const command = readableCommand(asked.command ?? "");
  const detail = { command: command || undefined, directory: cwd ?? undefined, reason: reason ?? undefined };
  const request = requestOf(id, threadId, "approval", itemId);
  if (network) {
    const url = `${network.protocol}://${network.host}`;
    return ask(state, request, {
      action: "fetch",
      title: permissionTitle("fetch", { url }),
      detail: { ...detail, url },
      alwaysScope: permissionScope("fetch", { url }),
    });
  }
  const isInput = kind !== "command" || command === "";
  return ask(state, request, {
    action: "execute",
    title: permissionTitle("execute", { command, isInput, otherwise: "Type into a running command" }),
    detail,
    alwaysScope: permissionScope("execute", { command: isInput ? undefined : command }),
  });
}

/** Codex names no path in it; they are in the item it belongs to. */
export function onFileApproval(
  state: CodexState,
  id: RpcId,
  asked: Asked<"item/fileChange/requestApproval">,
): CodexStep {
  const { threadId, itemId, reason, grantRoot } = asked;
  const native = state.items.get(keyOf(threadId, itemId))?.native;
  const changes = native?.type === "fileChange" ? native.changes : [];
  const named = changes.flatMap(({ path, kind }) => (kind.move_path ? [path, kind.move_path] : [path]));
  const paths = [...named, ...(grantRoot ? [grantRoot] : [])].map((path) => shownPath(path, state.directory));
  const request = requestOf(id, threadId, "approval", itemId);
  const isAllInside = named.length > 0 && !grantRoot && named.every((path) => isInside(path, state.directory));
  if (state.permissionMode === "acceptEdits" && isAllInside) return reply(state, [], [allow(request)]);
  const diff = changes.map((change) => diffOf(change, state.directory) ?? "").join("");
  return ask(state, request, {
    action: "edit",
    title: permissionTitle("edit", { paths, otherwise: "Edit files" }),
    detail: {
      paths,
      diff: diff || undefined,
      reason: reason ?? undefined,
    },
    alwaysScope: permissionScope("edit", { paths: grantRoot ? [] : paths }),
  });
}

/** More access than the sandbox gives, for the rest of the turn. Too broad to be granted for ever. */
export function onAccessApproval(
  state: CodexState,
  id: RpcId,
  asked: Asked<"item/permissions/requestApproval">,
): CodexStep {
  const { threadId, itemId, cwd, reason, permissions } = asked;
  const request = { ...requestOf(id, threadId, "permissions", itemId), permissions };
  return ask(state, request, {
    action: "other",
    title: reason || "Give the agent more access",
    detail: { directory: cwd ?? undefined, input: permissions, reason: reason ?? undefined },
    alwaysScope: permissionScope("other", {}),
  });
}

/** A tool of an MCP server that wants approval, or a server that asks the person something itself. */
export function onElicitation(state: CodexState, id: RpcId, asked: Asked<"mcpServer/elicitation/request">): CodexStep {
  const { threadId, serverName, message, mode, requestedSchema, _meta: meta } = asked;
  if (typeof meta?.codex_approval_kind === "string") {
    const call = waitingMcpCall(state, asked);
    const tool = call?.tool ?? /tool "([^"]+)"/.exec(message)?.[1];
    const name = tool === undefined ? undefined : mcpToolName(serverName, tool);
    return ask(state, requestOf(id, threadId, "mcp", call?.id), {
      action: "mcp",
      title: permissionTitle("mcp", { tool: name ?? serverName }),
      detail: { tool: name ?? serverName, input: meta.tool_params ?? undefined, reason: message },
      alwaysScope: permissionScope("mcp", { tool: name }),
    });
  }
  if (mode !== "form") {
    const text = `This client cannot show an elicitation of mode ${mode}`;
    return reply(state, [], [refusal(id, text)]);
  }
  const { questions, fields } = formOf(message, requestedSchema ?? {});
  const requestKey = String(id);
  const request: OpenRequest = { id, threadId, kind: "form", fields };
  return emit(
    { ...state, requests: withEntry(state.requests, requestKey, request) },
    { type: "question.asked", data: { requestKey, kind: "question", questions } },
  );
}

/** Codex has no item for a question (0.166.0). */
export function onUserInput(state: CodexState, id: RpcId, asked: Asked<"item/tool/requestUserInput">): CodexStep {
  const { threadId, questions } = asked;
  const requestKey = String(id);
  const fields = questions.map(({ id: name }) => ({ name, type: "list" as const }));
  const request: OpenRequest = { id, threadId, kind: "questions", fields };
  return emit(
    { ...state, requests: withEntry(state.requests, requestKey, request) },
    { type: "question.asked", data: { requestKey, kind: "question", questions: questions.map(questionOf) } },
  );
}

function questionOf({ id, header, question, isOther, isSecret, options }: UserQuestion) {
  return {
    id,
    header: header || undefined,
    question,
    type: "string" as const,
    options: (options ?? []).map(({ label, description }) => ({
      id: label,
      label,
      description: description || undefined,
    })),
    multiSelect: false,
    allowCustom: isOther || options === null || options.length === 0,
    secret: isSecret ? true : undefined,
  };
}

interface Permission {
  action: PermissionAction;
  title: string;
  detail: PermissionDetail;
  alwaysScope: AlwaysScope[];
}

function ask(state: CodexState, request: OpenRequest, permission: Permission): CodexStep {
  const requestKey = String(request.id);
  const itemId = request.itemKey === undefined ? undefined : state.items.get(request.itemKey)?.itemId;
  const { action, title, detail, alwaysScope } = permission;
  const data: PermissionAsked = { requestKey, action, title, alwaysScope, detail, itemId };
  if (state.permissionMode === "plan") {
    const message = "Nothing may change in plan mode";
    const decided = { ...data, decision: "reject", message } as const;
    return reply(state, [{ type: "permission.decided", data: decided }], [decline(request, { message })]);
  }
  const open = request.itemKey === undefined ? undefined : state.items.get(request.itemKey);
  const items = open
    ? withEntry(state.items, keyOf(open.threadId, open.native.id), { ...open, waits: true })
    : state.items;
  const requests = withEntry(state.requests, requestKey, request);
  return emit({ ...state, items, requests }, { type: "permission.asked", data });
}

function requestOf(id: RpcId, threadId: string, kind: OpenRequest["kind"], itemId: string | undefined): OpenRequest {
  return { id, threadId, kind, fields: [], itemKey: itemId === undefined ? undefined : keyOf(threadId, itemId) };
}

/** The request names neither item nor tool; the call of that server that is open is the one. */
function waitingMcpCall(state: CodexState, asked: Asked<"mcpServer/elicitation/request">) {
  for (const { native, threadId } of [...state.items.values()].reverse()) {
    if (native.type !== "mcpToolCall" || threadId !== asked.threadId) continue;
    if (native.server === asked.serverName && asked.message.includes(native.tool)) return native;
  }
  return undefined;
}
