import type { EventBody, EventType, Item, Usage } from "@muster/schema";
import { classOf } from "../read/failures.ts";
import { agentModeOf, claudeModes } from "../wire/modes.ts";
import type { SaidLine } from "../wire/native.ts";

/** The line with which Claude would have said this; what it cannot say is in `law-exceptions`. */
export function nativeLine(body: EventBody): SaidLine | null {
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
      return null;
  }
}

type DataOf<T extends EventType> = Extract<EventBody, { type: T }>["data"];

function startLine({ itemId, nativeItemId, content, kind }: Item): SaidLine {
  const [part] = content;
  if (part?.type === "tool_call") {
    const { callId: id, name, input } = part;
    return assistantLine(itemId, { type: "tool_use", id, name, input });
  }
  const block = kind === "message" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
  return streamLine(nativeItemId ?? itemId, { type: "content_block_start", index: 0, content_block: block });
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

export function errorClass({ code, retryable, details, message }: DataOf<"error">): string | undefined {
  if (details !== undefined || /prompt is too long|context (window|length|limit)/i.test(message)) return undefined;
  return classOf({ cause: code, retryable });
}

export function settingsLine(data: DataOf<"session.updated">): SaidLine | null {
  const { title, permissionMode, agentMode, ...rest } = data;
  if (Object.values(rest).some((value) => value !== undefined)) return null;
  if (title !== undefined && permissionMode === undefined && agentMode === undefined) {
    return { type: "system", subtype: "session_title_changed", title };
  }
  if (title !== undefined || permissionMode === undefined || agentMode !== agentModeOf(permissionMode)) return null;
  const mode = claudeModes[permissionMode];
  return { type: "system", subtype: "status", status: null, permissionMode: mode };
}

export function resultLine({ status, usage, costUsd, output }: DataOf<"turn.ended">): SaidLine {
  const isAborted = status === "interrupted";
  return {
    type: "result",
    subtype: isAborted ? "error_during_execution" : "success",
    is_error: isAborted,
    terminal_reason: isAborted ? "aborted_streaming" : "completed",
    total_cost_usd: costUsd,
    model_usage_since_last_result: usage === undefined ? undefined : { model: modelUsage(usage) },
    structured_output: output,
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
