import type { EventBody, EventType, Item, Usage } from "@muster/schema";
import { classOf } from "../read/failures.ts";
import { agentModeOf, claudeModes } from "../read/modes.ts";
import type { SaidLine } from "../read/native.ts";
import { titleOf, toolKindOf } from "../read/tools.ts";

/** The line with which Claude would have said this; null for what `unsayable` lists. */
export function toNative(body: EventBody): SaidLine | null {
  return unsayable.some((exception) => exception.holds(body)) ? null : lineFor(body);
}

interface Unsayable {
  what: string;
  why: string;
  holds: (body: EventBody) => boolean;
}

/** Where the two-way law does not hold for Claude, and why. */
export const unsayable: readonly Unsayable[] = [
  {
    what: "session.started, session.ended, message.updated, question.resolved, permission.resolved",
    why: "the daemon makes them; Claude knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "message.updated", "question.resolved", "permission.resolved"),
  },
  { what: "agent.unparsed", why: "it is what has no form in Claude's words", holds: isOneOf("agent.unparsed") },
  {
    what: "question.requested",
    why: "Claude names questions by their text and options by their label; the ids are made here",
    holds: isOneOf("question.requested"),
  },
  {
    what: "permission.requested",
    why: "title, detail and scope are made here from the input of the tool",
    holds: isOneOf("permission.requested"),
  },
  {
    what: "plan.updated",
    why: "Claude's list is the result of a tool, which is three signals more",
    holds: isOneOf("plan.updated"),
  },
  {
    what: "usage.updated",
    why: "it is added up here over all calls of a turn",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended with status uncertain, or failed",
    why: "only the daemon can be uncertain, and a failure is two signals: the error and the end",
    holds: (body) => body.type === "turn.ended" && (body.data.status === "uncertain" || body.data.status === "failed"),
  },
  {
    what: "turn.ended with cause or message",
    why: "a turn that did not fail has neither in Claude's words",
    holds: (body) => body.type === "turn.ended" && (body.data.cause !== undefined || body.data.message !== undefined),
  },
  {
    what: "turn.ended with the output null",
    why: "to Claude null is no structured output",
    holds: (body) => body.type === "turn.ended" && body.data.output === null,
  },
  {
    what: "turn.ended with contextTokens, or with more cached tokens than tokens",
    why: "the context is told by the calls; cached tokens are counted apart and added to the others",
    holds: (body) => body.type === "turn.ended" && !isSayableUsage(body.data.usage),
  },
  {
    what: "session.updated with anything but a title, or the two modes that belong together",
    why: "the rest is spread over the lines of a start and of a turn",
    holds: (body) => body.type === "session.updated" && settingsLine(body.data) === null,
  },
  {
    what: "error with details, or with a code or retryable that Claude has no word for",
    why: "Claude knows seven classes of API errors",
    holds: (body) => body.type === "error" && errorClass(body.data) === undefined,
  },
  {
    what: "item.delta of output, or of an index other than 0",
    why: "Claude does not stream what tools print; every block is an item with one part",
    holds: (body) =>
      body.type === "item.delta" && (body.data.part === "output" || body.data.index !== 0 || body.data.delta === ""),
  },
  {
    what: "items with parentId, background or supersededBy",
    why: "sub-agents are not streamed and their call must be known; Claude never replaces an item",
    holds: (body) => "item" in body.data && !isPlain(body.data.item),
  },
  {
    what: "item.started that is not an empty message or reasoning, or a call with its input",
    why: "only these are begun by a line of their own",
    holds: (body) => body.type === "item.started" && !isStart(body.data.item),
  },
  {
    what: "item.completed that is not one whole text or thought",
    why: "a call ends with its result, which is three signals; a status is begun and ended by one line",
    holds: (body) => body.type === "item.completed" && !isWhole(body.data.item),
  },
];

function isOneOf(...types: EventType[]): (body: EventBody) => boolean {
  return (body) => types.includes(body.type);
}

function lineFor(body: EventBody): SaidLine | null {
  switch (body.type) {
    case "item.started":
      return startLine(body.data.item);
    case "item.completed":
      return wholeLine(body.data.item);
    case "item.delta": {
      const { itemId, index, part, delta } = body.data;
      const piece = {
        text: { type: "text_delta", text: delta },
        reasoning: { type: "thinking_delta", thinking: delta },
        input: { type: "input_json_delta", partial_json: delta },
        output: null,
      }[part];
      return streamLine(itemId, { type: "content_block_delta", index, delta: piece });
    }
    case "error":
      return {
        type: "assistant",
        message: { model: "<synthetic>", content: [{ type: "text", text: body.data.message }] },
        error: errorClass(body.data),
        is_api_error_message: true,
      };
    case "session.updated":
      return settingsLine(body.data);
    case "turn.started":
      return { type: "system", subtype: "init" };
    case "turn.ended":
      return resultLine(body.data);
    default:
      return null;
  }
}

type DataOf<T extends EventType> = Extract<EventBody, { type: T }>["data"];

function isPlain(item: Item): boolean {
  return item.parentId === undefined && item.background === undefined && item.supersededBy === undefined;
}

function isStart({ kind, role, status, content }: Item): boolean {
  if (role !== "assistant" || status !== "in_progress") return false;
  if (kind === "message" || kind === "reasoning") return content.length === 0;
  const [part] = content;
  if (kind !== "tool_call" || content.length !== 1 || part?.type !== "tool_call") return false;
  return part.toolKind === toolKindOf(part.name) && part.title === titleOf(part.name, part.input);
}

function startLine({ itemId, nativeItemId, content, kind }: Item): SaidLine {
  const [part] = content;
  if (part?.type === "tool_call") {
    const { callId: id, name, input } = part;
    return assistantLine(itemId, { type: "tool_use", id, name, input });
  }
  const block = kind === "message" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
  return streamLine(nativeItemId ?? itemId, { type: "content_block_start", index: 0, content_block: block });
}

function isWhole({ kind, role, status, content }: Item): boolean {
  const [part] = content;
  if (role !== "assistant" || (status !== "completed" && status !== "cancelled") || content.length !== 1) return false;
  if (kind === "message") return part?.type === "text";
  return kind === "reasoning" && part?.type === "reasoning" && part.visibility === "public";
}

function wholeLine({ itemId, nativeItemId, status, content }: Item): SaidLine {
  const [part] = content;
  const said = part !== undefined && "text" in part ? part.text : "";
  const block = part?.type === "reasoning" ? { type: "thinking", thinking: said } : { type: "text", text: said };
  const line = assistantLine(nativeItemId ?? itemId, block);
  return status === "cancelled" ? { ...line, aborted: true } : line;
}

function assistantLine(id: string, block: Record<string, unknown>): SaidLine {
  return { type: "assistant", message: { id, role: "assistant", content: [block] } };
}

function streamLine(messageId: string, event: Record<string, unknown>): SaidLine {
  return { type: "stream_event", event, api_message_id: messageId };
}

function errorClass({ code, retryable, details, message }: DataOf<"error">): string | undefined {
  if (details !== undefined || /prompt is too long|context (window|length|limit)/i.test(message)) return undefined;
  return classOf({ cause: code, retryable });
}

export function settingsLine(data: DataOf<"session.updated">): SaidLine | null {
  const { title, permissionMode, agentMode, ...rest } = data;
  if (Object.keys(rest).length > 0) return null;
  if (title !== undefined && permissionMode === undefined && agentMode === undefined) {
    return { type: "system", subtype: "session_title_changed", title };
  }
  if (title !== undefined || permissionMode === undefined || agentMode !== agentModeOf(permissionMode)) return null;
  const mode = claudeModes[permissionMode];
  return { type: "system", subtype: "status", status: null, permissionMode: mode };
}

function isSayableUsage(usage: Usage | undefined): boolean {
  if (usage === undefined) return true;
  return usage.contextTokens === undefined && (usage.cachedInputTokens ?? 0) <= usage.inputTokens;
}

export function resultLine({ status, usage, costUsd, output }: DataOf<"turn.ended">): SaidLine {
  const isAborted = status === "interrupted";
  return {
    type: "result",
    subtype: isAborted ? "error_during_execution" : "success",
    is_error: isAborted,
    terminal_reason: isAborted ? "aborted_streaming" : "completed",
    ...(costUsd === undefined ? {} : { total_cost_usd: costUsd }),
    ...(usage === undefined ? {} : { model_usage_since_last_result: { model: modelUsage(usage) } }),
    ...(output === undefined ? {} : { structured_output: output }),
  };
}

function modelUsage({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens, contextWindow }: Usage) {
  return {
    inputTokens: inputTokens - (cachedInputTokens ?? 0),
    outputTokens,
    cacheReadInputTokens: cachedInputTokens,
    thinkingTokens: reasoningTokens,
    contextWindow,
  };
}
