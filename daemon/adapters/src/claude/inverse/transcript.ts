import type { Body, EventBody, Item, Part } from "@muster/schema";
import { type EventException, isOneOf, usuallyLeftOut, whenCompleted } from "../../converter/event-exception.ts";
import { LineWriter, type Transcript } from "../../converter/line-writer.ts";
import { classOf } from "../read/failures.ts";
import type { SaidLine } from "../wire/native.ts";
import { resultLine, settingsLine } from "./to-native.ts";

/** What of a session has no place in Claude's lines. */
const leftOut: readonly EventException[] = [
  ...usuallyLeftOut,
  {
    what: "plan.updated, usage.updated",
    why: "Claude's list is the result of one of its tools, and usage is told at the end of a turn",
    holds: isOneOf("plan.updated", "usage.updated"),
  },
  {
    what: "session.updated with anything but a title, a model or the two modes that belong together",
    why: "Claude tells nothing else of a session",
    holds: (body) =>
      body.type === "session.updated" && settingsLine(body.data) === null && body.data.model === undefined,
  },
  {
    what: "output of a tool while it runs",
    why: "Claude does not stream what tools print",
    holds: (body) => body.type === "item.delta" && body.data.part === "output",
  },
  {
    what: "that a plan is a plan, and what a status is called",
    why: "a plan is told as text, a status as information",
    holds: whenCompleted(({ kind }) => kind === "plan" || kind === "status"),
    partly: true,
  },
  {
    what: "that a turn is uncertain",
    why: "to Claude a turn ends well, is stopped or fails",
    holds: (body) => body.type === "turn.ended" && body.data.status === "uncertain",
    partly: true,
  },
];

export function claudeWriter(): LineWriter<SaidLine> {
  return new LineWriter(new ClaudeTranscript(), leftOut);
}

/** Any session as Claude would have told it with `--include-partial-messages`. */
class ClaudeTranscript implements Transcript<SaidLine> {
  /** `<item>/<index>`: blocks that are being streamed. */
  readonly #blocks = new Set<string>();
  /** Calls whose input was told piece by piece. */
  readonly #streamed = new Set<string>();
  /** item → the call of a sub-agent that it is, for what happens inside. */
  readonly #calls = new Map<string, string>();
  #model: string | undefined;
  #lastText: string | undefined;

  lines(body: EventBody): readonly SaidLine[] {
    switch (body.type) {
      case "turn.started":
        this.#lastText = undefined;
        return [{ type: "system", subtype: "init", model: this.#model }];
      case "turn.ended":
        return this.#end(body.data);
      case "item.started":
        return this.#start(body.data.item);
      case "item.delta":
        return this.#delta(body.data);
      case "item.completed":
        return this.#complete(body.data.item);
      case "session.updated": {
        this.#model = body.data.model ?? this.#model;
        const line = settingsLine(body.data);
        return line === null ? [] : [line];
      }
      case "error":
        return [
          {
            type: "assistant",
            message: { model: "<synthetic>", content: [{ type: "text", text: body.data.message }] },
            error: classOf({ cause: body.data.code, retryable: body.data.retryable }) ?? "unknown",
            is_api_error_message: true,
          },
        ];
      case "session.started":
      case "session.ended":
      case "message.updated":
      case "question.requested":
      case "question.resolved":
      case "permission.requested":
      case "permission.resolved":
      case "plan.updated":
      case "usage.updated":
      case "agent.unparsed":
      case "log.damaged":
        return [];
    }
  }

  #start(item: Item): SaidLine[] {
    const [part] = item.content;
    if (part?.type === "tool_call") {
      if (part.toolKind === "agent") this.#calls.set(item.itemId, part.callId);
      if (item.parentId !== undefined) return [];
      const block = { type: "tool_use", id: part.callId, name: part.name, input: {} };
      return [messageStart(item.itemId), this.#startBlock(item.itemId, 0, block)];
    }
    if (item.role !== "assistant" || item.parentId !== undefined) return [];
    if (item.kind === "message" || item.kind === "plan") {
      return [messageStart(item.itemId), this.#startBlock(item.itemId, 0, { type: "text", text: "" })];
    }
    if (item.kind !== "reasoning") return [];
    return [messageStart(item.itemId), this.#startBlock(item.itemId, 0, { type: "thinking", thinking: "" })];
  }

  #delta({ itemId, index, part, delta }: Body<"item.delta">["data"]): SaidLine[] {
    const isFirst = this.#blocks.has(`${itemId}/0`);
    if (!isFirst || part === "output") return [];
    const lines: SaidLine[] = [];
    if (!this.#blocks.has(`${itemId}/${index}`)) {
      const block = part === "reasoning" ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
      lines.push(this.#startBlock(itemId, index, block));
    }
    if (part === "input") this.#streamed.add(itemId);
    const piece = {
      text: { type: "text_delta", text: delta },
      reasoning: { type: "thinking_delta", thinking: delta },
      input: { type: "input_json_delta", partial_json: delta },
    }[part];
    return [...lines, streamEvent(itemId, { type: "content_block_delta", index, delta: piece })];
  }

  #complete(item: Item): SaidLine[] {
    const { itemId, kind, role, status, content } = item;
    const parent = item.parentId === undefined ? undefined : this.#calls.get(item.parentId);
    const inside = parent === undefined ? {} : { parent_tool_use_id: parent };
    if (kind === "status") {
      const text = content.map((part) => (part.type === "status" ? statusText(part) : "")).join("\n");
      return [{ type: "system", subtype: "informational", content: text }];
    }
    if (kind === "tool_result") return [{ ...resultMessage(content), ...inside }];
    if (role === "user") return [{ type: "user", message: { role: "user", content: textOf(content) }, ...inside }];
    const blocks = content.flatMap(blocksOf);
    if (blocks.length === 0) return this.#stop(itemId);
    const message = { id: itemId, role: "assistant", model: this.#model, content: blocks };
    if (kind === "message" && item.parentId === undefined) this.#lastText = textOf(content);
    const [part] = content;
    // Whoever has no whole input yet gets it before the whole line, as the model would have written it.
    const isUntold = part?.type === "tool_call" && this.#blocks.has(`${itemId}/0`) && !this.#streamed.delete(itemId);
    const input = isUntold
      ? this.#delta({ itemId, index: 0, part: "input", delta: JSON.stringify(part.input ?? {}) })
      : [];
    this.#streamed.delete(itemId);
    const isCut = kind !== "tool_call" && status !== "completed";
    const line: SaidLine = { type: "assistant", message, aborted: isCut ? true : undefined, ...inside };
    return [...input, line, ...this.#stop(itemId)];
  }

  #stop(itemId: string): SaidLine[] {
    const open = [...this.#blocks].filter((key) => key.startsWith(`${itemId}/`));
    if (open.length === 0) return [];
    for (const key of open) this.#blocks.delete(key);
    const stops = open.map((_, index) => streamEvent(itemId, { type: "content_block_stop", index }));
    return [...stops, streamEvent(itemId, { type: "message_stop" })];
  }

  #end(data: Body<"turn.ended">["data"]): SaidLine[] {
    this.#blocks.clear();
    this.#streamed.clear();
    const result = resultLine(data);
    if (data.status === "completed") return [{ ...result, result: this.#lastText }];
    if (data.status === "interrupted") return [result];
    const errors = [data.message ?? data.cause ?? "The turn failed"];
    const api_error = data.cause === undefined ? undefined : classOf({ cause: data.cause, retryable: false });
    const failure = { subtype: "error_during_execution", is_error: true, terminal_reason: "error" };
    return [{ ...result, ...failure, errors, api_error }];
  }

  #startBlock(itemId: string, index: number, block: object): SaidLine {
    this.#blocks.add(`${itemId}/${index}`);
    return streamEvent(itemId, { type: "content_block_start", index, content_block: block });
  }
}

function messageStart(itemId: string): SaidLine {
  return streamEvent(itemId, { type: "message_start", message: { id: itemId, role: "assistant", content: [] } });
}

function streamEvent(itemId: string, event: object): SaidLine {
  return { type: "stream_event", event, api_message_id: itemId };
}

function blocksOf(part: Part): object[] {
  switch (part.type) {
    case "tool_call":
      return [{ type: "tool_use", id: part.callId, name: part.name, input: part.input }];
    case "reasoning":
      return [{ type: "thinking", thinking: part.text }];
    case "text":
    case "plan":
      return [{ type: "text", text: part.text }];
    case "json":
      return isBlock(part.json) ? [part.json] : [{ type: "text", text: JSON.stringify(part.json) }];
    case "status":
    case "tool_result":
    case "file":
    case "image":
      return [];
  }
}

/** A block of Claude's that has no form of ours is kept as it came. */
function isBlock(json: unknown): json is object {
  return typeof json === "object" && json !== null && "type" in json;
}

function resultMessage(content: readonly Part[]): SaidLine {
  const blocks = content.flatMap((part) =>
    part.type === "tool_result"
      ? [{ type: "tool_result", tool_use_id: part.callId, content: part.output, is_error: part.isError }]
      : [],
  );
  return { type: "user", message: { role: "user", content: blocks } };
}

function textOf(content: readonly Part[]): string {
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

function statusText({ label, detail }: { label: string; detail?: string | undefined }): string {
  return detail === undefined ? label : `${label}: ${detail}`;
}
