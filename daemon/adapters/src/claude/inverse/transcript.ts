import type { Body, EventBody, Item, Part } from "@muster/schema";
import { isSpoken, statusText, textOf } from "../../converter/left-out.ts";
import type { Transcript } from "../../converter/line-writer.ts";
import { writeQuestion } from "../../converter/tools/asked-question.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { classOf } from "../read/failures.ts";
import { claudeModes } from "../wire/modes.ts";
import type { SaidLine } from "../wire/native.ts";
import { permissionFor } from "../wire/tools.ts";

/** A call that is open, for what happens inside it and what is asked about it. */
interface Call {
  callId: string;
  name: string;
  input: unknown;
}

/** Any session as Claude would have told it with `--include-partial-messages`. */
export class ClaudeTranscript implements Transcript<SaidLine> {
  /** item → how many of its blocks are being streamed. */
  readonly #blocks = new Map<string, number>();
  /** Calls whose input was told piece by piece. */
  readonly #streamed = new Set<string>();
  readonly #calls = new Map<string, Call>();
  #model: string | undefined;
  #lastText: string | undefined;
  #costUsd = 0;
  #hasFailed = false;

  readonly says: Transcript<SaidLine>["says"] = {
    "turn.started": () => {
      this.#lastText = undefined;
      this.#hasFailed = false;
      return [{ type: "system", subtype: "init", model: this.#model }];
    },
    "turn.ended": (data) => [this.#end(data)],
    "item.started": ({ item }) => this.#start(item),
    "item.delta": (data) => this.#delta(data),
    "item.completed": ({ item }) => this.#complete(item),
    "session.updated": (data) => this.#update(data),
    error: ({ code: cause, message, retryable }) => {
      this.#hasFailed = true;
      const error = classOf({ cause, retryable }) ?? "unknown";
      const content = [{ type: "text", text: message }];
      return [{ type: "assistant", message: { model: "<synthetic>", content }, error, is_api_error_message: true }];
    },
    "question.requested": ({ questionId, questions }) => [
      askLine(questionId, "AskUserQuestion", { questions: questions.map(writeQuestion) }),
    ],
    "permission.requested": (data) => [this.#permission(data)],
    "question.resolved": ({ questionId }) => [{ type: "control_cancel_request", request_id: questionId }],
    "permission.resolved": ({ permissionId }) => [{ type: "control_cancel_request", request_id: permissionId }],
  };

  skip(body: EventBody): void {
    if (body.type === "session.updated") this.#model = body.data.model ?? this.#model;
  }

  #update({ title, model = this.#model, permissionMode }: Body<"session.updated">["data"]): SaidLine[] {
    this.#model = model;
    const mode = permissionMode && claudeModes[permissionMode];
    return [
      ...(title === undefined ? [] : [{ type: "system", subtype: "session_title_changed", title }]),
      ...(mode === undefined ? [] : [{ type: "system", subtype: "status", status: null, permissionMode: mode }]),
    ];
  }

  /** The call itself where Claude has such a tool, or else the tool of Claude's that asks for the same. */
  #permission({ permissionId, action, itemId, detail = {} }: Body<"permission.requested">["data"]): SaidLine {
    const call = itemId === undefined ? undefined : this.#calls.get(itemId);
    const { command, paths: [path] = [], url, tool, input, reason } = detail;
    const isSame = call !== undefined && permissionFor(call.name, asInput(call.input), undefined).action === action;
    if (call && isSame) return askLine(permissionId, call.name, call.input, { tool_use_id: call.callId });
    const tools = {
      execute: ["Bash", { command: command ?? "" }],
      edit: ["Edit", { file_path: path ?? "" }],
      read: ["Read", { file_path: path ?? "" }],
      fetch: ["WebFetch", { url: url ?? "" }],
      mcp: [tool?.startsWith("mcp__") ? tool : `mcp__${tool ?? "server"}`, input],
      other: [`use_${tool ?? "tool"}`, input],
    } as const;
    const [name, asked] = tools[action];
    return askLine(permissionId, name, asked, { decision_reason: reason });
  }

  #start({ itemId, parentId, role, kind, content: [part] }: Item): SaidLine[] {
    if (part?.type === "tool_call") {
      const { callId, name, input } = part;
      this.#calls.set(itemId, { callId, name, input });
      return parentId === undefined ? this.#begin(itemId, { type: "tool_use", id: callId, name, input: {} }) : [];
    }
    const call = parentId === undefined ? undefined : this.#calls.get(parentId);
    // What stands in the status of a sub-agent belongs to the call that started it.
    if (kind === "status" && call !== undefined) this.#calls.set(itemId, call);
    if (role !== "assistant" || parentId !== undefined || !isSpoken(kind)) return [];
    return this.#begin(itemId, kind === "reasoning" ? { type: "thinking", thinking: "" } : { type: "text", text: "" });
  }

  #begin(itemId: string, block: object): SaidLine[] {
    const message = { id: itemId, role: "assistant", content: [] };
    return [streamEvent(itemId, { type: "message_start", message }), this.#startBlock(itemId, 0, block)];
  }

  #delta({ itemId, index, part, delta }: Body<"item.delta">["data"]): SaidLine[] {
    const blocks = this.#blocks.get(itemId);
    if (blocks === undefined || part === "output") return [];
    const begun: SaidLine[] = [];
    const block = part === "reasoning" ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
    // Blocks begin in their order.
    for (let next = blocks; next <= index; next++) begun.push(this.#startBlock(itemId, next, block));
    if (part === "input") this.#streamed.add(itemId);
    const piece = {
      text: { type: "text_delta", text: delta },
      reasoning: { type: "thinking_delta", thinking: delta },
      input: { type: "input_json_delta", partial_json: delta },
    }[part];
    return [...begun, streamEvent(itemId, { type: "content_block_delta", index, delta: piece })];
  }

  #complete(item: Item): SaidLine[] {
    const { itemId, kind, role, status, content } = item;
    const parent = item.parentId === undefined ? undefined : this.#calls.get(item.parentId)?.callId;
    const inside = parent === undefined ? {} : { parent_tool_use_id: parent };
    if (kind === "status") return [{ type: "system", subtype: "informational", content: statusText(content) }];
    if (kind === "tool_result") return [{ ...resultMessage(content), ...inside }];
    if (role === "user") return [{ type: "user", message: { role: "user", content: textOf(content) }, ...inside }];
    const blocks = content.flatMap(blocksOf);
    if (blocks.length === 0) return this.#stop(itemId);
    const message = { id: itemId, role: "assistant", model: this.#model, content: blocks };
    if (kind === "message" && item.parentId === undefined) this.#lastText = textOf(content);
    const [part] = content;
    // Whoever has no whole input yet gets it before the whole line, as the model would have written it.
    const isUntold = part?.type === "tool_call" && this.#blocks.has(itemId) && !this.#streamed.has(itemId);
    const input = isUntold
      ? this.#delta({ itemId, index: 0, part: "input", delta: JSON.stringify(inputOf(part)) })
      : [];
    this.#streamed.delete(itemId);
    const isCut = kind !== "tool_call" && status !== "completed";
    const line: SaidLine = { type: "assistant", message, aborted: isCut ? true : undefined, ...inside };
    return [...input, line, ...this.#stop(itemId)];
  }

  #stop(itemId: string): SaidLine[] {
    const blocks = this.#blocks.get(itemId);
    if (blocks === undefined) return [];
    this.#blocks.delete(itemId);
    const stops = Array.from({ length: blocks }, (_, index) =>
      streamEvent(itemId, { type: "content_block_stop", index }),
    );
    return [...stops, streamEvent(itemId, { type: "message_stop" })];
  }

  #end({ status, cause, message, usage, costUsd, output }: Body<"turn.ended">["data"]): SaidLine {
    this.#blocks.clear();
    this.#streamed.clear();
    this.#calls.clear();
    this.#costUsd += costUsd ?? 0;
    const isStopped = status === "interrupted";
    const result: SaidLine = {
      type: "result",
      subtype: status === "completed" ? "success" : "error_during_execution",
      // One that was stopped after an error is still one that was stopped.
      is_error: isStopped ? !this.#hasFailed : status !== "completed",
      terminal_reason: status === "completed" ? "completed" : isStopped ? "aborted_streaming" : "error",
      total_cost_usd: costUsd === undefined ? undefined : this.#costUsd,
      model_usage_since_last_result: usage && { [this.#model ?? "model"]: modelUsage(usage, costUsd) },
      structured_output: output,
    };
    if (status === "completed") return { ...result, result: this.#lastText };
    if (isStopped) return result;
    const api_error = cause && classOf({ cause, retryable: false });
    return { ...result, errors: [message ?? cause ?? "The turn failed"], api_error };
  }

  #startBlock(itemId: string, index: number, block: object): SaidLine {
    this.#blocks.set(itemId, index + 1);
    return streamEvent(itemId, { type: "content_block_start", index, content_block: block });
  }
}

function modelUsage(usage: NonNullable<Body<"turn.ended">["data"]["usage"]>, costUSD: number | undefined) {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, contextWindow } = usage;
  return {
    inputTokens: inputTokens - (cachedInputTokens ?? 0),
    outputTokens,
    cacheReadInputTokens: cachedInputTokens,
    thinkingTokens: reasoningTokens,
    contextWindow,
    costUSD,
  };
}

function askLine(request_id: string, tool_name: string, input: unknown, more: object = {}): SaidLine {
  const request = { subtype: "can_use_tool", tool_name, input: asInput(input), ...more };
  return { type: "control_request", request_id, request };
}

function streamEvent(itemId: string, event: object): SaidLine {
  return { type: "stream_event", event, api_message_id: itemId };
}

function blocksOf(part: Part): object[] {
  switch (part.type) {
    case "tool_call":
      return [{ type: "tool_use", id: part.callId, name: part.name, input: inputOf(part) }];
    case "reasoning":
      return [{ type: "thinking", thinking: part.text }];
    case "text":
    case "plan":
    case "json":
      // A block of Claude's that has no form of ours is kept as it came.
      return [
        part.type === "json" && "type" in asInput(part.json)
          ? asInput(part.json)
          : { type: "text", text: textOf([part]) },
      ];
    case "status":
    case "tool_result":
    case "file":
    case "image":
      return [];
  }
}

/** An input is always there, if only as an empty object. */
function inputOf({ input }: Extract<Part, { type: "tool_call" }>): unknown {
  return input === undefined ? {} : input;
}

function resultMessage(content: readonly Part[]): SaidLine {
  const blocks = content.flatMap((part) =>
    part.type === "tool_result"
      ? [{ type: "tool_result", tool_use_id: part.callId, content: part.output, is_error: part.isError }]
      : [],
  );
  return { type: "user", message: { role: "user", content: blocks } };
}
