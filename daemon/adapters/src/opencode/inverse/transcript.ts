import type { Body, Cause, Item, Part } from "@muster/schema";
import { textOf } from "../../converter/left-out.ts";
import type { Transcript } from "../../converter/line-writer.ts";
import { writeQuestion } from "../../converter/tools/asked-question.ts";
import type { OpencodeLine } from "../wire/native.ts";

type Call = Extract<Part, { type: "tool_call" }>;

/** Any session as `opencode serve` would have told it on `/event`. */
export class OpencodeTranscript implements Transcript<OpencodeLine> {
  readonly #sessionID: string;
  /** callId → a call whose result is not known yet, with the item it is. */
  readonly #calls = new Map<string, { call: Call; itemId: string }>();
  readonly #callOfItem = new Map<string, string>();
  /** Parts that have begun: `<item>/<index>`. */
  readonly #parts = new Set<string>();
  #messages = 0;
  #hasTitle = false;

  constructor(sessionID: string) {
    this.#sessionID = sessionID;
  }

  readonly says: Transcript<OpencodeLine>["says"] = {
    "turn.started": () => {
      this.#messages++;
      return [this.#event("session.status", { status: { type: "busy" } }), this.#message({ created: 0 })];
    },
    "turn.ended": (data) => this.#end(data),
    "item.started": ({ item }) => this.#start(item),
    "item.delta": ({ itemId, index, part, delta }) => {
      if (part !== "text" && part !== "reasoning") return [];
      const begun = this.#beginPart(itemId, index, part);
      const at = { messageID: this.#answer, partID: `${itemId}/${index}` };
      return [...begun, this.#event("message.part.delta", { ...at, field: "text", delta })];
    },
    "item.completed": ({ item }) => this.#complete(item),
    "plan.updated": ({ entries: todos }) => [this.#event("todo.updated", { todos })],
    "session.updated": ({ title }) => this.#title(title),
    "question.requested": ({ questionId: id, questions, itemId }) => {
      const asks = questions.map((one) => {
        const { multiSelect: multiple, ...words } = writeQuestion(one);
        return { ...words, multiple, custom: one.allowCustom };
      });
      return [this.#event("question.asked", { id, questions: asks, tool: this.#toolOf(itemId) })];
    },
    "permission.requested": ({ permissionId: id, action, itemId, detail = {} }) => {
      const { command, paths = [], url, tool = "use", diff } = detail;
      const names = { execute: "bash", edit: "edit", read: "read", fetch: "webfetch", mcp: tool, other: tool };
      const patterns = command === undefined ? paths : [command];
      const about = { permission: names[action], patterns, metadata: { command, url, filepath: paths[0], diff } };
      return [this.#event("permission.asked", { id, ...about, tool: this.#toolOf(itemId) })];
    },
    "question.resolved": ({ questionId: requestID }) => [this.#event("question.replied", { requestID })],
    "permission.resolved": ({ permissionId: requestID }) => [this.#event("permission.replied", { requestID })],
  };

  /** A session of OpenCode's has a title from its beginning: the first one that is told is no change. */
  #title(title: string | undefined): OpencodeLine[] {
    const titles = this.#hasTitle ? [title] : ["New session", title];
    this.#hasTitle = true;
    return titles.map((one) => this.#event("session.updated", { info: { id: this.#sessionID, title: one } }));
  }

  #toolOf(itemId: string | undefined): object | undefined {
    const callID = itemId === undefined ? undefined : this.#callOfItem.get(itemId);
    return callID === undefined ? undefined : { messageID: this.#answer, callID };
  }

  get #answer(): string {
    return `msg_${this.#messages}`;
  }

  #event(type: string, properties: object): OpencodeLine {
    return { type, properties: { sessionID: this.#sessionID, ...properties } };
  }

  #message(time: object, error?: object): OpencodeLine {
    const info = { id: this.#answer, sessionID: this.#sessionID, role: "assistant", time, error };
    return this.#event("message.updated", { info });
  }

  #part(part: object): OpencodeLine {
    const at = { sessionID: this.#sessionID, messageID: this.#answer };
    return this.#event("message.part.updated", { part: { ...at, ...part } });
  }

  #start(item: Item): OpencodeLine[] {
    const [part] = item.content;
    if (part?.type !== "tool_call") return [];
    this.#calls.set(part.callId, { call: part, itemId: item.itemId });
    this.#callOfItem.set(item.itemId, part.callId);
    return [this.#toolPart(part, item.itemId, { status: "pending", input: {} })];
  }

  #beginPart(itemId: string, index: number, part: "text" | "reasoning"): OpencodeLine[] {
    const id = `${itemId}/${index}`;
    if (this.#parts.has(id)) return [];
    this.#parts.add(id);
    return [this.#part({ id, type: part, text: "", time: { start: 0 } })];
  }

  #complete(item: Item): OpencodeLine[] {
    const { itemId, kind, content } = item;
    const [first] = content;
    if (first?.type === "tool_call") {
      this.#calls.set(first.callId, { call: first, itemId });
      return [this.#toolPart(first, itemId, { status: "running", input: first.input, title: first.title })];
    }
    if (first?.type === "tool_result") return this.#result(first);
    return content.flatMap((part, index) => {
      if (!("text" in part) && part.type !== "json") return [];
      const type = kind === "reasoning" ? "reasoning" : "text";
      const id = `${itemId}/${index}`;
      const lines = this.#beginPart(itemId, index, type);
      this.#parts.delete(id);
      return [...lines, this.#part({ id, type, text: textOf([part]), time: { start: 0, end: 0 } })];
    });
  }

  #result({ callId, output, isError }: Extract<Part, { type: "tool_result" }>): OpencodeLine[] {
    const known = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (known === undefined) return [];
    const { call, itemId } = known;
    const { input, title } = call;
    const state = isError
      ? { status: "error", input, error: output }
      : { status: "completed", input, output, title, metadata: {} };
    return [this.#toolPart(call, itemId, state)];
  }

  #toolPart({ name: tool, callId: callID }: Call, id: string, state: object): OpencodeLine {
    return this.#part({ id, type: "tool", tool, callID, state });
  }

  #end({ status, cause = "agent_error", message = cause }: Body<"turn.ended">["data"]): OpencodeLine[] {
    this.#calls.clear();
    this.#callOfItem.clear();
    this.#parts.clear();
    const isFailed = status === "failed" || status === "uncertain";
    const aborted = { name: "MessageAbortedError", data: { message: "The turn was interrupted" } };
    const error = status === "interrupted" ? aborted : isFailed ? errorOf(cause, message) : undefined;
    return [
      ...(error ? [this.#event("session.error", { error })] : []),
      this.#message({ created: 0, completed: 0 }, error),
      this.#event("session.status", { status: { type: "idle" } }),
      this.#event("session.idle", {}),
    ];
  }
}

const names: Readonly<Partial<Record<Cause, string>>> = {
  auth_failed: "ProviderAuthError",
  context_overflow: "ContextOverflowError",
  output_limit: "MessageOutputLengthError",
};

function errorOf(cause: Cause, message: string) {
  const name = names[cause];
  if (name !== undefined) return { name, data: { message } };
  if (cause === "rate_limited") return { name: "APIError", data: { message, statusCode: 429 } };
  if (cause === "provider_error") return { name: "APIError", data: { message } };
  return { name: "UnknownError", data: { message } };
}
