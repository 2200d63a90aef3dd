import type { Body, Cause, EventBody, Item, Part } from "@muster/schema";
import {
  type EventException,
  isOneOf,
  nesting,
  usuallyLeftOut,
  whenCompleted,
} from "../../converter/event-exception.ts";
import { LineWriter, type Transcript } from "../../converter/line-writer.ts";
import type { OpencodeLine } from "../wire/native.ts";

/** What of a session has no place in OpenCode's lines. */
const leftOut: readonly EventException[] = [
  ...usuallyLeftOut,
  nesting,
  {
    what: "usage.updated",
    why: "OpenCode tells the tokens of each call of the model, and a session has their sum",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "session.updated with anything but a title",
    why: "OpenCode tells nothing else of a session",
    holds: (body) => body.type === "session.updated" && body.data.title === undefined,
  },
  {
    what: "status items",
    why: "OpenCode has parts only for files that changed and for a compaction",
    holds: (body) => "item" in body.data && body.data.item.kind === "status",
  },
  {
    what: "input and output of a tool while it is written and runs",
    why: "OpenCode tells a call whole at each change",
    holds: (body) => body.type === "item.delta" && (body.data.part === "input" || body.data.part === "output"),
  },
  {
    what: "that a plan is a plan, and that a text was cut off",
    why: "both are told as text, and parts end whole",
    holds: whenCompleted(
      ({ kind, status }) => kind === "plan" || ((kind === "message" || kind === "reasoning") && status !== "completed"),
    ),
    partly: true,
  },
  {
    what: "errors of a turn that went well",
    why: "to OpenCode an error ends its turn, and is told with that end",
    holds: isOneOf("error"),
    partly: true,
  },
  {
    what: "that a turn is uncertain",
    why: "to OpenCode a turn ends well, is stopped or fails",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
    partly: true,
  },
];

/** `sessionID` is the name the lines carry. */
export function opencodeWriter(sessionID = "ses_muster"): LineWriter<OpencodeLine> {
  return new LineWriter(new OpencodeTranscript(sessionID), leftOut);
}

type Call = Extract<Part, { type: "tool_call" }>;

/** Any session as `opencode serve` would have told it on `/event`. */
class OpencodeTranscript implements Transcript<OpencodeLine> {
  readonly #sessionID: string;
  /** callId → a call whose result is not known yet, with the item it is. */
  readonly #calls = new Map<string, { call: Call; itemId: string }>();
  /** Parts that have begun: `<item>/<index>`. */
  readonly #parts = new Set<string>();
  #messages = 0;
  #error: ReturnType<typeof errorOf> | undefined;

  constructor(sessionID: string) {
    this.#sessionID = sessionID;
  }

  lines(body: EventBody): readonly OpencodeLine[] {
    switch (body.type) {
      case "turn.started":
        this.#messages++;
        this.#error = undefined;
        return [
          this.#event("session.status", { status: { type: "busy" } }),
          this.#message(this.#answer, "assistant", { created: 0 }),
        ];
      case "turn.ended":
        return this.#end(body.data);
      case "item.started":
        return this.#start(body.data.item);
      case "item.delta": {
        const { itemId, index, part, delta } = body.data;
        if (part !== "text" && part !== "reasoning") return [];
        const begun = this.#beginPart(itemId, index, part);
        const partID = `${itemId}/${index}`;
        return [...begun, this.#event("message.part.delta", { ...this.#place, partID, field: "text", delta })];
      }
      case "item.completed":
        return this.#complete(body.data.item);
      case "plan.updated":
        return [this.#event("todo.updated", { todos: body.data.entries })];
      case "session.updated":
        return [this.#event("session.updated", { info: { id: this.#sessionID, title: body.data.title } })];
      case "error":
        this.#error = errorOf(body.data.code, body.data.message);
        return [];
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

  get #answer(): string {
    return `msg_${this.#messages}`;
  }

  get #place() {
    return { messageID: this.#answer };
  }

  #event(type: string, properties: object): OpencodeLine {
    return { type, properties: { sessionID: this.#sessionID, ...properties } };
  }

  #message(id: string, role: "user" | "assistant", time: object, error?: object): OpencodeLine {
    return this.#event("message.updated", { info: { id, sessionID: this.#sessionID, role, time, error } });
  }

  #part(part: object, messageID = this.#answer): OpencodeLine {
    return this.#event("message.part.updated", { part: { sessionID: this.#sessionID, messageID, ...part } });
  }

  #start(item: Item): OpencodeLine[] {
    const [part] = item.content;
    if (part?.type !== "tool_call") return [];
    this.#calls.set(part.callId, { call: part, itemId: item.itemId });
    return [this.#toolPart(part, item.itemId, { status: "pending", input: {} })];
  }

  #beginPart(itemId: string, index: number, part: "text" | "reasoning"): OpencodeLine[] {
    const id = `${itemId}/${index}`;
    if (this.#parts.has(id)) return [];
    this.#parts.add(id);
    return [this.#part({ id, type: part, text: "", time: { start: 0 } })];
  }

  #complete(item: Item): OpencodeLine[] {
    const { itemId, kind, role, content } = item;
    const [first] = content;
    if (first?.type === "tool_call") {
      this.#calls.set(first.callId, { call: first, itemId });
      return [this.#toolPart(first, itemId, { status: "running", input: first.input, title: first.title })];
    }
    if (first?.type === "tool_result") return this.#result(first);
    if (role === "user") {
      const id = `msg_${this.#messages}_${itemId}`;
      const part = { id: `${itemId}/0`, type: "text", text: textOf(content) };
      return [this.#message(id, "user", { created: 0 }), this.#part(part, id)];
    }
    return content.flatMap((part, index) => {
      if (!("text" in part)) return [];
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
    this.#parts.clear();
    const isFailed = status === "failed" || status === "uncertain";
    const aborted = { name: "MessageAbortedError", data: { message: "The turn was interrupted" } };
    const error = status === "interrupted" ? aborted : isFailed ? (this.#error ?? errorOf(cause, message)) : undefined;
    return [
      ...(error ? [this.#event("session.error", { error })] : []),
      this.#message(this.#answer, "assistant", { created: 0, completed: 0 }, error),
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

function textOf(content: readonly Part[]): string {
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}
