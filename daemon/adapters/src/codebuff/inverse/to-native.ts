import type { Body, EventBody, Item, Usage } from "@muster/schema";
import { codeOf } from "../read/failures.ts";
import type { SaidLine } from "../wire/native.ts";

/** The line with which Codebuff would have said this; what it cannot say is in `law-exceptions`. */
export function nativeLine(body: EventBody): SaidLine | null {
  switch (body.type) {
    case "turn.started":
      return { type: "start", messageHistoryLength: 0 };
    case "turn.ended":
      return finishLine(body.data);
    case "message.updated":
      return { type: "user_message_joined", messageId: body.data.messageId };
    case "item.started":
      return startLine(body.data.item);
    case "item.completed":
      return subagentLine("subagent_finish", body.data.item);
    case "item.delta":
      return deltaLine(body.data);
    case "error": {
      const { code: cause, message, retryable } = body.data;
      const code = codeOf({ cause, retryable }) ?? undefined;
      return { type: "error", message, code };
    }
    case "permission.requested":
      return permissionLine(body.data);
    case "session.started":
    case "session.updated":
    case "session.ended":
    case "question.requested":
    case "question.resolved":
    case "permission.resolved":
    case "plan.updated":
    case "usage.updated":
    case "agent.unparsed":
    case "log.damaged":
      return null;
  }
}

function deltaLine({ itemId, part, delta }: Body<"item.delta">["data"]): SaidLine | null {
  switch (part) {
    case "text":
      return { type: "text", text: delta };
    case "reasoning":
      return { type: "reasoning_delta", text: delta, runId: itemId, ancestorRunIds: [] };
    case "output":
      return { type: "tool_progress", toolCallId: itemId, toolName: "run_terminal_command", output: delta };
    case "input":
      return null;
  }
}

function startLine(item: Item): SaidLine {
  const [part] = item.content;
  if (part?.type !== "tool_call") return subagentLine("subagent_start", item);
  return { type: "tool_call", toolCallId: part.callId, toolName: part.name, input: part.input };
}

function subagentLine(type: "subagent_start" | "subagent_finish", { itemId, nativeItemId, content }: Item): SaidLine {
  const [status, info] = content;
  const { label: displayName, detail: prompt } = status?.type === "status" ? status : { label: "" };
  const told = info?.type === "json" ? (info.json as Record<string, unknown>) : {};
  return { type, agentId: nativeItemId ?? itemId, onlyChild: true, displayName, prompt, ...told };
}

function permissionLine(data: Body<"permission.requested">["data"]): SaidLine {
  const { permissionId: toolCallId, action, title, detail = {} } = data;
  const { command, paths, diff, url, reason } = detail;
  const permission = { toolCallId: "none", action, title, command, paths, diff, url, reason };
  return { type: "tool_call", toolCallId, toolName: "ask_user", input: {}, permission };
}

export function finishLine({ status, cause, usage, costUsd }: Body<"turn.ended">["data"]): SaidLine {
  const cost =
    costUsd === undefined
      ? { totalCost: 0, costUnknown: true }
      : { totalCost: Math.round(costUsd * 100), totalCostUsd: costUsd };
  return { type: "finish", status: statusOf(status, cause), ...cost, usage: usageWords(usage) };
}

function statusOf(status: Body<"turn.ended">["data"]["status"], cause: string | undefined): string {
  if (status === "completed") return "completed";
  if (status === "interrupted") return "cancelled";
  return cause === "max_steps" ? "max_steps" : cause === "turn_timeout" ? "timeout" : "failed";
}

function usageWords(usage: Usage | undefined) {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return { inputTokens, outputTokens, cachedInputTokens, reasoningTokens };
}
