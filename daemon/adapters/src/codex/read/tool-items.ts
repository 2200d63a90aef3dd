import type { Item, Part, ToolKind } from "@muster/schema";
import { type CallOutcome, callOutcome } from "../../converter/tools/call-outcome.ts";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { listed } from "../../converter/tools/titles.ts";
import { type ChangedFile, diffOfTexts, unifiedDiff } from "../../converter/tools/unified-diff.ts";
import type { FileUpdate, ItemOf, ThreadItem } from "../wire/thread-item.ts";
import { readableCommand } from "./shell-words.ts";

export type ToolItem = ItemOf<(typeof toolTypes)[number]>;

const toolTypes = [
  "commandExecution",
  "fileChange",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "webSearch",
  "imageView",
  "imageGeneration",
  "sleep",
  "functionCallOutput",
] as const satisfies readonly ThreadItem["type"][];

export const isTool = (item: ThreadItem): item is ToolItem => (toolTypes as readonly string[]).includes(item.type);

export type NoticeItem = ItemOf<"hookPrompt" | "enteredReviewMode" | "exitedReviewMode" | "contextCompaction">;

export const mcpToolName = (server: string, tool: string): string => `mcp__${server}__${tool}`;

interface Call {
  name: string;
  toolKind: ToolKind;
  input: unknown;
  title?: string;
}

/** The call as every agent's calls are told. */
function callOf(item: ToolItem, directory: string): Call {
  const show = (path: string) => shownPath(path, directory);
  switch (item.type) {
    case "commandExecution": {
      const command = readableCommand(item.command);
      const input = { command, cwd: item.cwd || undefined };
      const { toolKind, files } = commandKind(item, directory);
      return { name: "shell", toolKind, input, title: toolKind === "read" ? listed(files) : command };
    }
    case "fileChange": {
      const changes = item.changes.map(({ path, kind, diff }) => ({ path, kind: kind.type, diff }));
      const title = listed(item.changes.map(({ path, kind }) => show(kind.move_path ?? path)));
      return { name: "apply_patch", toolKind: "edit", input: { changes }, title };
    }
    case "mcpToolCall":
      return { name: mcpToolName(item.server, item.tool), toolKind: "other", input: item.arguments };
    case "dynamicToolCall": {
      const name = item.namespace ? `${item.namespace}.${item.tool}` : item.tool;
      return { name, toolKind: "other", input: item.arguments };
    }
    case "collabAgentToolCall": {
      const { receiverThreadIds, prompt } = item;
      return { name: item.tool, toolKind: "agent", input: { receiverThreadIds, prompt } };
    }
    case "webSearch":
      return { name: "web_search", toolKind: "fetch", input: { query: item.query }, title: item.query };
    case "imageView":
      return { name: "view_image", toolKind: "read", input: { path: item.path }, title: show(item.path) };
    case "imageGeneration":
      return { name: "image_generation", toolKind: "other", input: { prompt: item.revisedPrompt ?? null } };
    case "sleep":
      return { name: "sleep", toolKind: "other", input: { durationMs: item.durationMs } };
    case "functionCallOutput":
      return { name: item.name, toolKind: "other", input: {} };
  }
}

/** Codex has no tools to read and to search: it runs commands, and says of each what it takes it for. */
function commandKind(
  { commandActions, cwd }: ItemOf<"commandExecution">,
  directory: string,
): { toolKind: ToolKind; files: string[] } {
  const actions = commandActions ?? [];
  const whole = (path: string) => (path.startsWith("/") || cwd === "" ? path : `${cwd}/${path}`);
  const files = actions.flatMap(({ type, path }) =>
    type === "read" && path ? [shownPath(whole(path), directory)] : [],
  );
  if (actions.length > 0 && files.length === actions.length) return { toolKind: "read", files };
  const looks = actions.length > 0 && actions.every(({ type }) => lookingActions.has(type));
  return { toolKind: looks ? "search" : "execute", files: [] };
}

const lookingActions: ReadonlySet<string> = new Set(["read", "listFiles", "search"]);

export function callPart(item: ToolItem, directory: string): Part {
  const { title, ...call } = callOf(item, directory);
  return { type: "tool_call", callId: item.id, ...call, title: title || undefined };
}

export interface Outcome extends Pick<CallOutcome, "status"> {
  content: Part[];
}

/** What came of a call. */
export function outcomeOf(item: ToolItem, directory: string): Outcome {
  switch (item.type) {
    case "commandExecution": {
      const { files } = commandKind(item, directory);
      const read = files.map((path): Part => ({ type: "file", path, action: "read" }));
      const exitCode = item.exitCode ?? undefined;
      return outcome(item, { native: item.status, output: item.aggregatedOutput ?? "", exitCode }, read);
    }
    case "fileChange": {
      const files = item.changes.map((change) => fileOf(change, directory));
      const output = item.status === "completed" ? "" : `The change was ${item.status}`;
      return outcome(item, { native: item.status, output }, files);
    }
    case "mcpToolCall": {
      const output = item.error?.message ?? textOf(item.result?.content ?? []);
      const json = item.result?.structuredContent ?? undefined;
      const native = isRefusal(item.error?.message) ? "declined" : item.status;
      return outcome(item, { native, output, json });
    }
    case "dynamicToolCall": {
      const native = item.success === false ? "failed" : item.status;
      return outcome(item, { native, output: textOf(item.contentItems ?? []) });
    }
    case "collabAgentToolCall":
      return outcome(item, { native: item.status, output: "", json: item.agentsStates });
    case "webSearch":
      return outcome(item, { output: item.query, json: item.results ?? item.action ?? undefined });
    case "imageView":
      return outcome(item, { output: "" }, [{ type: "file", path: shownPath(item.path, directory), action: "read" }]);
    case "imageGeneration": {
      const native = item.failure ? "failed" : "completed";
      const image: Part[] =
        item.savedPath === undefined ? [] : [{ type: "image", mime: "image/png", path: item.savedPath }];
      return outcome(item, { native, output: item.revisedPrompt ?? "" }, image);
    }
    case "sleep":
      return outcome(item, { output: "" });
    case "functionCallOutput": {
      const output = typeof item.output === "string" ? item.output : JSON.stringify(item.output ?? null);
      return outcome(item, { output });
    }
  }
}

/** The label and text of what is only worth a line. */
export function noticeOf(item: NoticeItem): { label: string; detail?: string } {
  switch (item.type) {
    case "contextCompaction":
      return { label: "context_compacted" };
    case "hookPrompt":
      return { label: "hook_prompt", detail: item.fragments.map(({ text }) => text).join("\n") };
    case "enteredReviewMode":
      return { label: "review_started", detail: item.review };
    case "exitedReviewMode":
      return { label: "review_finished", detail: item.review };
  }
}

export function userContent({ content }: ItemOf<"userMessage">): Item["content"] {
  return content.map(({ type, text, path }): Part => {
    if (text !== undefined) return { type: "text", text };
    return type === "localImage"
      ? { type: "image", mime: "image/*", path: path ?? "" }
      : { type: "json", json: { type, path } };
  });
}

interface Result {
  /** How Codex says it ended. */
  native?: string;
  output: string;
  exitCode?: number | undefined;
  json?: unknown;
}

/** Files are told of what has happened. */
function outcome(
  item: ToolItem,
  { native = "completed", output, exitCode, json }: Result,
  files: readonly Part[] = [],
): Outcome {
  const isCancelled = native === "declined" || native === "interrupted";
  const { status, isError } = callOutcome({ isCancelled, isError: native !== "completed", exitCode });
  const result: Part = { type: "tool_result", callId: item.id, output, isError, exitCode, json };
  return { status, content: [result, ...(isError ? [] : files)] };
}

/** Codex calls a call of an MCP server failed that somebody refused; these are its words for it (0.166.0). */
const refusals = [
  "user rejected MCP tool call",
  "user cancelled MCP tool call",
  "MCP tool call cancelled",
  "MCP tool call blocked",
  "MCP tool call requires approval",
];

function isRefusal(message = ""): boolean {
  return refusals.some((words) => message.startsWith(words));
}

const changes = {
  add: { action: "write", is: "new" },
  update: { action: "patch", is: undefined },
  delete: { action: "delete", is: "gone" },
} as const;

function fileOf(change: FileUpdate, directory: string): Part {
  const path = shownPath(change.kind.move_path ?? change.path, directory);
  return { type: "file", path, action: changes[change.kind.type].action, diff: diffOf(change, directory) };
}

/** Codex gives the whole text of a file that is new or gone where it gives a diff of others. */
export function diffOf({ path, kind, diff }: FileUpdate, directory: string): string | undefined {
  const file: ChangedFile = {
    path: shownPath(kind.move_path ?? path, directory),
    from: shownPath(path, directory),
    is: changes[kind.type].is,
  };
  const told = unifiedDiff(file, diff);
  if (told !== undefined || kind.type === "update") return told;
  return kind.type === "add" ? diffOfTexts(file, "", diff) : diffOfTexts(file, diff, "");
}

function textOf(content: readonly unknown[]): string {
  return content
    .map((part) => {
      if (typeof part === "object" && part !== null && "text" in part && typeof part.text === "string")
        return part.text;
      return JSON.stringify(part);
    })
    .join("\n");
}
