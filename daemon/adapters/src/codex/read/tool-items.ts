import type { Item, ItemStatus, Part, ToolKind } from "@muster/schema";
import { readableCommand } from "./shell-words.ts";
import type { FileUpdate, ItemOf, ThreadItem } from "./thread-item.ts";

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
function callOf(item: ToolItem): Call {
  switch (item.type) {
    case "commandExecution": {
      const command = readableCommand(item.command);
      const input = { command, cwd: item.cwd || undefined };
      return { name: "shell", toolKind: "execute", input, title: command };
    }
    case "fileChange": {
      const changes = item.changes.map(({ path, kind, diff }) => ({ path, kind: kind.type, diff }));
      const title = item.changes.map(({ path }) => path).join(", ");
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
      return { name: "web_search", toolKind: "search", input: { query: item.query } };
    case "imageView":
      return { name: "view_image", toolKind: "read", input: { path: item.path } };
    case "imageGeneration":
      return { name: "image_generation", toolKind: "other", input: { prompt: item.revisedPrompt ?? null } };
    case "sleep":
      return { name: "sleep", toolKind: "other", input: { durationMs: item.durationMs } };
    case "functionCallOutput":
      return { name: item.name, toolKind: "other", input: {} };
  }
}

export function callPart(item: ToolItem): Part {
  const { title, ...call } = callOf(item);
  return { type: "tool_call", callId: item.id, ...call, title: title || undefined };
}

export interface Outcome {
  status: Exclude<ItemStatus, "in_progress">;
  content: Part[];
}

/** What came of a call. */
export function outcomeOf(item: ToolItem): Outcome {
  switch (item.type) {
    case "commandExecution": {
      const exitCode = item.exitCode ?? undefined;
      const output = item.aggregatedOutput ?? "";
      return outcome(item, { status: statusOf(item.status), output, exitCode });
    }
    case "fileChange": {
      const status = statusOf(item.status);
      const files = status === "completed" ? item.changes.map(fileOf) : [];
      const output = files.length > 0 ? "" : `The change was ${item.status}`;
      return outcome(item, { status, output }, files);
    }
    case "mcpToolCall": {
      const output = item.error?.message ?? textOf(item.result?.content ?? []);
      const json = item.result?.structuredContent ?? undefined;
      // Codex calls a call failed that a person has refused.
      const status = isRefusal.test(item.error?.message ?? "") ? "cancelled" : statusOf(item.status);
      return outcome(item, { status, output, json });
    }
    case "dynamicToolCall": {
      const status = item.success === false ? "failed" : statusOf(item.status);
      return outcome(item, { status, output: textOf(item.contentItems ?? []) });
    }
    case "collabAgentToolCall":
      return outcome(item, { status: statusOf(item.status), output: "", json: item.agentsStates });
    case "webSearch":
      return outcome(item, { status: "completed", output: item.query, json: item.results ?? item.action ?? undefined });
    case "imageView":
      return outcome(item, { status: "completed", output: "" }, [{ type: "file", path: item.path, action: "read" }]);
    case "imageGeneration": {
      const status = item.failure ? "failed" : "completed";
      const image: Part[] =
        item.savedPath === undefined ? [] : [{ type: "image", mime: "image/png", path: item.savedPath }];
      return outcome(item, { status, output: item.revisedPrompt ?? "" }, image);
    }
    case "sleep":
      return outcome(item, { status: "completed", output: "" });
    case "functionCallOutput": {
      const output = typeof item.output === "string" ? item.output : JSON.stringify(item.output ?? null);
      return outcome(item, { status: "completed", output });
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
  status: Outcome["status"];
  output: string;
  exitCode?: number | undefined;
  json?: unknown;
}

function outcome(item: ToolItem, { status, output, exitCode, json }: Result, more: readonly Part[] = []): Outcome {
  const isError = status !== "completed";
  const result: Part = { type: "tool_result", callId: item.id, output, isError, exitCode, json };
  return { status, content: [result, ...more] };
}

const isRefusal = /^user (rejected|cancelled|declined) MCP tool call/i;

const statuses: Readonly<Record<string, Outcome["status"]>> = {
  completed: "completed",
  failed: "failed",
  declined: "cancelled",
  interrupted: "cancelled",
};

function statusOf(native: string): Outcome["status"] {
  return Object.hasOwn(statuses, native) ? (statuses[native] ?? "failed") : "failed";
}

const fileActions = { add: "write", update: "patch", delete: "delete" } as const;

function fileOf({ path, kind, diff }: FileUpdate): Part {
  return { type: "file", path: kind.move_path ?? path, action: fileActions[kind.type], diff: diffOf(kind.type, diff) };
}

/** Codex gives the whole text of a new file where it gives a diff of others. */
export function diffOf(kind: FileUpdate["kind"]["type"], diff: string): string {
  if (kind !== "add" || diff === "") return diff;
  const lines = diff.replace(/\n$/, "").split("\n");
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
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
