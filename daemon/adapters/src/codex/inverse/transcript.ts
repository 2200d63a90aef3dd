import { parseJson } from "@muster/core";
import type { Body, EventBody, Item, Part, Question } from "@muster/schema";
import { statusText, textOf } from "../../converter/left-out.ts";
import type { Transcript } from "../../converter/line-writer.ts";
import { wordsByCause } from "../read/failures.ts";
import type { CodexNative } from "../wire/native.ts";

const threadId = "thread";
/** The name of a tool of an MCP server. */
const mcpName = /^mcp__(\w+?)__(\w+)$/;
/** Our word → Codex'. */
const nativePhases = { commentary: "commentary", final: "final_answer" } as const;

type Call = Extract<Part, { type: "tool_call" }>;

/** Any session as `codex app-server` would have told it. A call and its result are one item to Codex. */
export class CodexTranscript implements Transcript<CodexNative> {
  /** callId → a call whose result is not known yet. */
  readonly #calls = new Map<string, Call>();
  readonly #started = new Set<string>();
  /** item → its call, for what is printed meanwhile. */
  readonly #callOfItem = new Map<string, string>();
  /** item → as much of its texts as was told, by index. */
  readonly #told = new Map<string, string[]>();
  /** item of a call → its input as far as it is written. */
  readonly #inputs = new Map<string, string>();

  readonly says: Transcript<CodexNative>["says"] = {
    "turn.started": ({ turnId: id }) => [notification("turn/started", { turn: { id, status: "inProgress" } })],
    "turn.ended": (data) => [this.#end(data)],
    "item.started": ({ item }) => this.#start(item),
    "item.delta": (data) => this.#delta(data),
    "item.completed": ({ item }) => this.#complete(item),
    "plan.updated": ({ entries }) => {
      const words = { pending: "pending", in_progress: "inProgress", completed: "completed", cancelled: "completed" };
      const plan = entries.map(({ content, status }) => ({ step: content, status: words[status] }));
      return [notification("turn/plan/updated", { plan })];
    },
    "session.updated": ({ title, model }) => [
      ...(title ? [notification("thread/name/updated", { threadName: title })] : []),
      ...(model ? [notification("thread/settings/updated", { threadSettings: { model } })] : []),
    ],
    error: ({ code, message }) => {
      const error = { message, codexErrorInfo: wordsByCause[code] ?? "other" };
      return [notification("error", { error, willRetry: false })];
    },
    "question.requested": ({ questionId, questions }) => [
      request(questionId, "item/tool/requestUserInput", { questions: questions.map(asked) }),
    ],
    "permission.requested": (data) => [this.#permission(data)],
    "question.resolved": ({ questionId: requestId }) => [notification("serverRequest/resolved", { requestId })],
    "permission.resolved": ({ permissionId: requestId }) => [notification("serverRequest/resolved", { requestId })],
  };

  /** Inputs are told whole, when they are needed. */
  skip({ type, data }: EventBody): void {
    if (type !== "item.delta" || data.part !== "input") return;
    this.#inputs.set(data.itemId, (this.#inputs.get(data.itemId) ?? "") + data.delta);
  }

  #permission({ permissionId, action, itemId = "", detail = {} }: Body<"permission.requested">["data"]): CodexNative {
    const { command, directory: cwd, url, tool, input, reason } = detail;
    const about = { itemId: this.#callOfItem.get(itemId) ?? permissionId, reason };
    switch (action) {
      case "execute":
        return request(permissionId, "item/commandExecution/requestApproval", { ...about, command, cwd });
      case "fetch": {
        const [, protocol = "https", host = url ?? ""] = /^(\w+):\/\/([^/]*)/.exec(url ?? "") ?? [];
        const networkApprovalContext = { protocol, host };
        return request(permissionId, "item/commandExecution/requestApproval", { ...about, networkApprovalContext });
      }
      case "edit":
        return request(permissionId, "item/fileChange/requestApproval", about);
      case "mcp": {
        const [, serverName = tool ?? "", name = ""] = mcpName.exec(tool ?? "") ?? [];
        const _meta = { codex_approval_kind: "mcp_tool_call", tool_params: input };
        const words = { serverName, mode: "form", message: `Allow tool "${name}"?`, _meta };
        return request(permissionId, "mcpServer/elicitation/request", words);
      }
      case "read":
      case "other":
        return request(permissionId, "item/permissions/requestApproval", { ...about, cwd, permissions: {} });
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
        // A message is one text: the parts after the first are told with its end.
        if (index > 0 || !this.#grow(itemId, index, delta)) return [];
        return [notification("item/agentMessage/delta", { itemId, delta })];
      case "reasoning":
        if (!this.#grow(itemId, index, delta)) return [];
        return [notification("item/reasoning/summaryTextDelta", { itemId, delta, summaryIndex: index })];
      case "output": {
        const call = this.#calls.get(this.#callOfItem.get(itemId) ?? "");
        if (call === undefined) return [];
        const output = notification("item/commandExecution/outputDelta", { itemId: call.callId, delta });
        return [...this.#startCall({ ...call, input: parseJson(this.#inputs.get(itemId) ?? "", call.input) }), output];
      }
      case "input":
        return [];
    }
  }

  /** Texts of an item are told in their order; one whose turn has not come is told with the end. */
  #grow(itemId: string, index: number, delta: string): boolean {
    const told = this.#told.get(itemId) ?? [];
    if (index > told.length) return false;
    told[index] = (told[index] ?? "") + delta;
    this.#told.set(itemId, told);
    return true;
  }

  #complete(item: Item): CodexNative[] {
    const { itemId: id, kind, role, content } = item;
    const [part] = content;
    if (part?.type === "tool_call") {
      this.#calls.set(part.callId, part);
      this.#callOfItem.delete(id);
      this.#inputs.delete(id);
      return this.#startCall(part);
    }
    if (part?.type === "tool_result") {
      const call = this.#calls.get(part.callId);
      this.#calls.delete(part.callId);
      if (call === undefined || !this.#started.delete(part.callId)) return [];
      return [itemLine("item/completed", { ...callItem(call), ...outcomeOf(call, part) })];
    }
    if (kind === "status") return [notification("warning", { message: statusText(content) })];
    if (role === "user") {
      const native = { type: "userMessage", id, content: [{ type: "text", text: textOf(content) }] };
      return [itemLine("item/started", native), itemLine("item/completed", native)];
    }
    if (kind === "plan") return [itemLine("item/completed", { type: "plan", id, text: textOf(content) })];
    if (kind !== "reasoning") return this.#completeMessage(item);
    this.#told.delete(id);
    const summary = content.flatMap((piece) => (piece.type === "reasoning" ? [piece.text] : []));
    return [itemLine("item/completed", { type: "reasoning", id, summary, content: [] })];
  }

  #completeMessage(item: Item): CodexNative[] {
    const { itemId: id, content } = item;
    const text = textOf(content);
    const [told = ""] = this.#told.get(id) ?? [];
    this.#told.delete(id);
    const isCut = told !== "" && text !== told && text.startsWith(told);
    const rest = isCut ? [notification("item/agentMessage/delta", { itemId: id, delta: text.slice(told.length) })] : [];
    return [...rest, itemLine("item/completed", { type: "agentMessage", id, text, phase: nativePhase(item) })];
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
    this.#told.clear();
    this.#inputs.clear();
    const isFailed = status === "failed" || status === "uncertain";
    const codexErrorInfo = (cause && wordsByCause[cause]) ?? "other";
    const error = isFailed ? { message, codexErrorInfo } : null;
    return notification("turn/completed", { turn: { id, status: isFailed ? "failed" : status, error } });
  }
}

function notification(method: string, params: object): CodexNative {
  return { method, params: { threadId, ...params } };
}

function request(id: string, method: string, params: object): CodexNative {
  return { id, method, params: { threadId, turnId: "turn", itemId: id, ...params } };
}

function asked({ id, header = "", question, options, allowCustom, secret = false }: Question): object {
  const choices = options.map(({ label, description = "" }) => ({ label, description }));
  return { id, header, question, isOther: allowCustom, isSecret: secret, options: choices.length > 0 ? choices : null };
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

function nativePhase({ phase }: Item): string | undefined {
  return phase && nativePhases[phase];
}
