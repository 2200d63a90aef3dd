import type { Body, EventBody, Item, Part } from "@muster/schema";
import {
  type EventException,
  isOneOf,
  nesting,
  usuallyLeftOut,
  whenCompleted,
} from "../../converter/event-exception.ts";
import { LineWriter, type Transcript } from "../../converter/line-writer.ts";
import { wordsByCause } from "../read/failures.ts";
import type { CodexNative } from "../wire/native.ts";
import { mcpName } from "./law-exceptions.ts";
import { nativePhases } from "./to-native.ts";

/** What of a session has no place in Codex's lines. */
const leftOut: readonly EventException[] = [
  ...usuallyLeftOut,
  nesting,
  {
    what: "usage.updated",
    why: "Codex tells the totals of a thread, and a session has those of its turns",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "session.updated with anything but a title or a model",
    why: "Codex tells nothing else of a session",
    holds: (body) => body.type === "session.updated" && !body.data.title && !body.data.model,
  },
  {
    what: "input of a tool while it is written",
    why: "Codex tells inputs whole",
    holds: (body) => body.type === "item.delta" && body.data.part === "input",
  },
  {
    what: "what a status is called, and which reasoning is private",
    why: "a status is told as a warning, reasoning as its summary",
    holds: whenCompleted(({ kind }) => kind === "status" || kind === "reasoning"),
    partly: true,
  },
  {
    what: "that a turn is uncertain, and that a text was cut off",
    why: "to Codex a turn ends well, is stopped or fails, and messages are whole",
    holds: (body) =>
      (body.type === "turn.ended" && body.data.status === "uncertain") ||
      (body.type === "item.completed" && body.data.item.kind === "message" && body.data.item.status !== "completed"),
    partly: true,
  },
];

const threadId = "thread";

export function codexWriter(): LineWriter<CodexNative> {
  return new LineWriter(new CodexTranscript(), leftOut);
}

type Call = Extract<Part, { type: "tool_call" }>;

/** Any session as `codex app-server` would have told it. A call and its result are one item to Codex. */
class CodexTranscript implements Transcript<CodexNative> {
  /** callId → a call whose result is not known yet. */
  readonly #calls = new Map<string, Call>();
  readonly #started = new Set<string>();
  /** item → its call, for what is printed meanwhile. */
  readonly #callOfItem = new Map<string, string>();

  lines(body: EventBody): readonly CodexNative[] {
    switch (body.type) {
      case "turn.started":
        return [notification("turn/started", { turn: { id: body.data.turnId, status: "inProgress" } })];
      case "turn.ended":
        return [this.#end(body.data)];
      case "item.started":
        return this.#start(body.data.item);
      case "item.delta":
        return this.#delta(body.data);
      case "item.completed":
        return this.#complete(body.data.item);
      case "plan.updated": {
        const words = { pending: "pending", in_progress: "inProgress", completed: "completed", cancelled: "completed" };
        const plan = body.data.entries.map(({ content, status }) => ({ step: content, status: words[status] }));
        return [notification("turn/plan/updated", { plan })];
      }
      case "session.updated": {
        const { title, model } = body.data;
        return [
          ...(title ? [notification("thread/name/updated", { threadName: title })] : []),
          ...(model ? [notification("thread/settings/updated", { threadSettings: { model } })] : []),
        ];
      }
      case "error": {
        const { code, message } = body.data;
        const error = { message, codexErrorInfo: wordsByCause[code] ?? "other" };
        return [notification("error", { error, willRetry: false })];
      }
      case "session.started":
      case "session.ended":
      case "message.updated":
      case "question.requested":
      case "question.resolved":
      case "permission.requested":
      case "permission.resolved":
      case "usage.updated":
      case "agent.unparsed":
      case "log.damaged":
        return [];
    }
  }

  #start(item: Item): CodexNative[] {
    const { itemId: id, kind, role, content } = item;
    const [part] = content;
    if (part?.type === "tool_call") {
      this.#calls.set(part.callId, part);
      this.#callOfItem.set(id, part.callId);
      return isEmpty(part.input) ? [] : this.#startCall(part);
    }
    if (role !== "assistant") return [];
    if (kind === "message")
      return [itemLine("item/started", { type: "agentMessage", id, text: "", phase: nativePhase(item) })];
    if (kind === "plan") return [itemLine("item/started", { type: "plan", id, text: "" })];
    if (kind !== "reasoning") return [];
    return [itemLine("item/started", { type: "reasoning", id, summary: [], content: [] })];
  }

  #delta({ itemId, index, part, delta }: Body<"item.delta">["data"]): CodexNative[] {
    switch (part) {
      case "text":
        return [notification("item/agentMessage/delta", { itemId, delta })];
      case "reasoning":
        return [notification("item/reasoning/summaryTextDelta", { itemId, delta, summaryIndex: index })];
      case "output": {
        const call = this.#calls.get(this.#callOfItem.get(itemId) ?? "");
        if (call === undefined) return [];
        const output = notification("item/commandExecution/outputDelta", { itemId: call.callId, delta });
        return [...this.#startCall(call), output];
      }
      case "input":
        return [];
    }
  }

  #complete(item: Item): CodexNative[] {
    const { itemId: id, kind, role, content } = item;
    const [part] = content;
    if (part?.type === "tool_call") {
      this.#calls.set(part.callId, part);
      this.#callOfItem.delete(id);
      return this.#startCall(part);
    }
    if (part?.type === "tool_result") {
      const call = this.#calls.get(part.callId);
      this.#calls.delete(part.callId);
      if (call === undefined || !this.#started.delete(part.callId)) return [];
      return [itemLine("item/completed", { ...callItem(call), ...outcomeOf(call, part) })];
    }
    if (kind === "status") return [notification("warning", { message: statusText(part) })];
    if (role === "user") {
      const native = { type: "userMessage", id, content: [{ type: "text", text: textOf(content) }] };
      return [itemLine("item/started", native), itemLine("item/completed", native)];
    }
    if (kind === "plan") return [itemLine("item/completed", { type: "plan", id, text: textOf(content) })];
    if (kind !== "reasoning")
      return [
        itemLine("item/completed", { type: "agentMessage", id, text: textOf(content), phase: nativePhase(item) }),
      ];
    const summary = content.flatMap((piece) => (piece.type === "reasoning" ? [piece.text] : []));
    return [itemLine("item/completed", { type: "reasoning", id, summary, content: [] })];
  }

  /** Codex tells inputs whole, so a call is told when its input is known. */
  #startCall(call: Call): CodexNative[] {
    if (this.#started.has(call.callId)) return [];
    this.#started.add(call.callId);
    return [itemLine("item/started", { ...callItem(call), status: "inProgress" })];
  }

  #end({ turnId: id, status, cause, message = cause ?? "The turn failed" }: Body<"turn.ended">["data"]): CodexNative {
    this.#calls.clear();
    this.#started.clear();
    this.#callOfItem.clear();
    const isFailed = status === "failed" || status === "uncertain";
    const codexErrorInfo = (cause && wordsByCause[cause]) ?? "other";
    const error = isFailed ? { message, codexErrorInfo } : null;
    return notification("turn/completed", { turn: { id, status: isFailed ? "failed" : status, error } });
  }
}

function notification(method: string, params: object): CodexNative {
  return { method, params: { threadId, ...params } };
}

const itemLine = (method: "item/started" | "item/completed", item: object) => notification(method, { item });

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

/** Codex's own shape where it has one for such a call; every other tool is one that a client brought along. */
function callItem({ callId: id, name, input }: Call): Record<string, unknown> {
  const [, server, tool] = mcpName.exec(name) ?? [];
  if (server !== undefined) return { type: "mcpToolCall", id, server, tool, arguments: input };
  if (isShell(name, input)) return { type: "commandExecution", id, command: input.command, cwd: input.cwd ?? "" };
  return { type: "dynamicToolCall", id, tool: name, arguments: input };
}

function isShell(name: string, input: unknown): input is { command: string; cwd?: string } {
  if (name !== "shell" || typeof input !== "object" || input === null || !("command" in input)) return false;
  return typeof input.command === "string" && Object.keys(input).every((field) => ["command", "cwd"].includes(field));
}

function outcomeOf(call: Call, { output, isError, exitCode }: Extract<Part, { type: "tool_result" }>) {
  const status = isError ? "failed" : "completed";
  const text = [{ type: "text", text: output }];
  if (mcpName.test(call.name)) {
    const result = { content: text, structuredContent: null };
    return isError ? { status, error: { message: output } } : { status, result };
  }
  if (isShell(call.name, call.input)) return { status, aggregatedOutput: output, exitCode: exitCode ?? null };
  return { status, contentItems: text, success: !isError };
}

function textOf(content: readonly Part[]): string {
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

function statusText(part: Part | undefined): string {
  if (part?.type !== "status") return "";
  return part.detail === undefined ? part.label : `${part.label}: ${part.detail}`;
}

function nativePhase({ phase }: Item): string | undefined {
  return phase && nativePhases[phase];
}
