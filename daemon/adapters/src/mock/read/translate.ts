import type { Item, Part, PlanEntry, Question, Usage } from "@muster/schema";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { unifiedDiffs } from "../../converter/tools/unified-diff.ts";
import type { PermissionAsked } from "../../signals.ts";
import type { Ask, Block, Grant, Piece, Spent } from "../wire/native.ts";

/** The words of both sides for the same things, each in both directions. */

export const deltaParts = { words: "text", thought: "reasoning", args: "input", printed: "output" } as const;
export const deltaWords = { text: "words", reasoning: "thought", input: "args", output: "printed" } as const;

export const todoStates = { open: "pending", doing: "in_progress", done: "completed", dropped: "cancelled" } as const;
const todoWords = { pending: "open", in_progress: "doing", completed: "done", cancelled: "dropped" } as const;

export const turnStatuses = { done: "completed", stopped: "interrupted", broken: "failed" } as const;
export const turnWords = { completed: "done", interrupted: "stopped", failed: "broken" } as const;

function partOf(piece: Piece, directory: string | undefined): Part {
  switch (piece.as) {
    case "words":
      return { type: "text", text: piece.words };
    case "thought":
      return { type: "reasoning", text: piece.words, visibility: piece.hidden ? "private" : "public" };
    case "call": {
      const { call: callId, tool: name, sort: toolKind, args: input, label: title } = piece;
      return { type: "tool_call", callId, name, toolKind, input, title };
    }
    case "outcome": {
      const { call: callId, printed: output, ok, code: exitCode, value: json } = piece;
      return { type: "tool_result", callId, output, isError: !ok, exitCode, json };
    }
    case "touched":
      return {
        type: "file",
        path: shownPath(piece.file, directory),
        action: piece.how,
        diff: unifiedDiffs(piece.patch ?? "", directory),
      };
    case "picture":
      return { type: "image", mime: piece.mime, data: piece.base64, path: piece.file };
    case "plan":
      return { type: "plan", text: piece.words };
    case "note":
      return { type: "status", label: piece.label, detail: piece.more };
    case "value":
      return { type: "json", json: piece.value };
  }
}

function pieceOf(part: Part): Piece {
  switch (part.type) {
    case "text":
      return { as: "words", words: part.text };
    case "reasoning":
      return { as: "thought", words: part.text, hidden: part.visibility === "private" };
    case "tool_call": {
      const { callId: call, name: tool, toolKind: sort, input: args, title: label } = part;
      return { as: "call", call, tool, sort, args, label };
    }
    case "tool_result": {
      const { callId: call, output: printed, isError, exitCode: code, json: value } = part;
      return { as: "outcome", call, printed, ok: !isError, code, value };
    }
    case "file":
      return { as: "touched", file: part.path, how: part.action, patch: part.diff };
    case "image":
      return { as: "picture", mime: part.mime, base64: part.data, file: part.path };
    case "plan":
      return { as: "plan", words: part.text };
    case "status":
      return { as: "note", label: part.label, more: part.detail };
    case "json":
      return { as: "value", value: part.json };
  }
}

export function itemOf(
  block: Block,
  ids: { itemId: string; parentId: string | undefined },
  directory: string | undefined,
): Item {
  const { block: nativeItemId, what: kind, voice: role, state: status, detached: background, pieces } = block;
  const { itemId, parentId } = ids;
  return {
    itemId,
    nativeItemId,
    parentId,
    role,
    background,
    kind,
    status,
    content: pieces.map((piece) => partOf(piece, directory)),
  };
}

export function blockOf(item: Item): Block {
  const { itemId: block, parentId: inside, kind: what, role: voice, status: state, background, content } = item;
  return { block, inside, voice, detached: background, what, state, pieces: content.map(pieceOf) };
}

export function usageOf(spent: Spent): Usage {
  return {
    inputTokens: spent.in,
    outputTokens: spent.out,
    cachedInputTokens: spent.cached,
    reasoningTokens: spent.thinking,
    contextTokens: spent.context,
    contextWindow: spent.window,
  };
}

export function spentOf(usage: Usage): Spent {
  return {
    in: usage.inputTokens,
    out: usage.outputTokens,
    cached: usage.cachedInputTokens,
    thinking: usage.reasoningTokens,
    context: usage.contextTokens,
    window: usage.contextWindow,
  };
}

export function todoOf({ content, status, priority }: PlanEntry) {
  return { text: content, is: todoWords[status], weight: priority };
}

export function questionOf(ask: Ask): Question {
  const { key, title, text, plan, wants, choices, several, free, hide } = ask;
  return {
    id: key,
    question: text,
    header: title,
    body: plan,
    secret: hide,
    type: wants,
    options: choices.map(({ key: id, label, more }) => ({ id, label, description: more })),
    multiSelect: several,
    allowCustom: free,
  };
}

export function askOf(question: Question): Ask {
  const { id, header, question: text, body, type, options, multiSelect, allowCustom, secret } = question;
  return {
    key: id,
    text,
    title: header,
    plan: body,
    hide: secret,
    wants: type,
    choices: options.map(({ id: key, label, description }) => ({
      key,
      label,
      more: description,
    })),
    several: multiSelect,
    free: allowCustom,
  };
}

export function permissionOf(grant: Grant, itemId: string | undefined, workingIn: string | undefined): PermissionAsked {
  const { ask, verb, title, command, cwd, files, patch, url, tool, args, because, forever } = grant;
  const paths = files?.map((file) => shownPath(file, workingIn));
  const diff = unifiedDiffs(patch ?? "", workingIn);
  const detail = { command, directory: cwd, paths, diff, url, tool, input: args, reason: because };
  const hasDetail = Object.values(detail).some((value) => value !== undefined);
  return {
    requestKey: ask,
    action: verb,
    title,
    itemId,
    detail: hasDetail ? detail : undefined,
    alwaysScope: forever.map(({ verb: action, exactly }) => ({ action, pattern: exactly })),
  };
}

export function grantOf({ requestKey, action, title, itemId, detail = {}, alwaysScope }: PermissionAsked): Grant {
  const { command, directory, paths, diff, url, tool, input, reason } = detail;
  return {
    ask: requestKey,
    verb: action,
    title,
    block: itemId,
    command,
    cwd: directory,
    files: paths,
    patch: diff,
    url,
    tool,
    args: input,
    because: reason,
    forever: alwaysScope.map(({ action: verb, pattern }) => ({ verb, exactly: pattern })),
  };
}
