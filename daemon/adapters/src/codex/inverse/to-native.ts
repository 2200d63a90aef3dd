import type { Body, EventBody, Item } from "@muster/schema";
import { wordsByCause } from "../read/failures.ts";
import type { CodexNative } from "../wire/native.ts";
import { mcpName } from "./law-exceptions.ts";

const threadId = "thread";

/** The line with which Codex would have said this; what it cannot say is in `law-exceptions`. */
export function nativeLine(body: EventBody): CodexNative | null {
  switch (body.type) {
    case "item.started":
      return { method: "item/started", params: { threadId, item: itemOf(body.data.item) } };
    case "item.completed":
      return { method: "item/completed", params: { threadId, item: itemOf(body.data.item) } };
    case "item.delta": {
      const { itemId, delta, part } = body.data;
      return { method: deltaMethods[part], params: { threadId, itemId, delta, summaryIndex: 0 } };
    }
    case "plan.updated": {
      const words = { pending: "pending", in_progress: "inProgress", completed: "completed", cancelled: "completed" };
      const plan = body.data.entries.map(({ content, status }) => ({ step: content, status: words[status] }));
      return { method: "turn/plan/updated", params: { threadId, plan } };
    }
    case "usage.updated":
      return usageLine(body);
    case "error": {
      const { code, message } = body.data;
      const error = { message, codexErrorInfo: wordsByCause[code] };
      return { method: "error", params: { threadId, error, willRetry: false } };
    }
    case "session.updated": {
      const { title, model } = body.data;
      if (title !== undefined) return { method: "thread/name/updated", params: { threadId, threadName: title } };
      return { method: "thread/settings/updated", params: { threadId, threadSettings: { model } } };
    }
    case "turn.started":
      return { method: "turn/started", params: { threadId, turn: { id: body.data.turnId, status: "inProgress" } } };
    case "turn.ended": {
      const { turnId: id, status, cause, message = "" } = body.data;
      const error = cause === undefined ? null : { message, codexErrorInfo: wordsByCause[cause] };
      return { method: "turn/completed", params: { threadId, turn: { id, status, error } } };
    }
    case "question.requested": {
      const { questionId: id, questions } = body.data;
      const asks = questions.map((question) => ({
        id: question.id,
        header: question.header ?? "",
        question: question.question,
        isOther: true,
        isSecret: question.secret === true,
        options: null,
      }));
      const params = { threadId, turnId: "turn", itemId: id, questions: asks };
      return { id, method: "item/tool/requestUserInput", params };
    }
    case "message.updated":
    case "permission.requested":
    case "session.started":
    case "session.ended":
    case "question.resolved":
    case "permission.resolved":
    case "agent.unparsed":
    case "log.damaged":
      return null;
  }
}

const deltaMethods = {
  text: "item/agentMessage/delta",
  reasoning: "item/reasoning/summaryTextDelta",
  output: "item/commandExecution/outputDelta",
  input: "item/agentMessage/delta",
} as const;

function itemOf({ itemId, nativeItemId, phase, kind, content }: Item): object {
  const id = nativeItemId ?? itemId;
  const texts = (visibility: "public" | "private") =>
    content.flatMap((part) => (part.type === "reasoning" && part.visibility === visibility ? [part.text] : []));
  const [part] = content;
  if (kind === "reasoning") return { type: "reasoning", id, summary: texts("public"), content: texts("private") };
  if (kind === "plan") return { type: "plan", id, text: part?.type === "plan" ? part.text : "" };
  if (part?.type === "tool_call") {
    const [, server, tool] = mcpName.exec(part.name) ?? [];
    return { type: "mcpToolCall", id: part.callId, server, tool, status: "inProgress", arguments: part.input };
  }
  return {
    type: "agentMessage",
    id,
    text: part?.type === "text" ? part.text : "",
    phase: phase && nativePhases[phase],
  };
}

/** Our word → Codex'. */
export const nativePhases = { commentary: "commentary", final: "final_answer" } as const;

function usageLine({ data }: Body<"usage.updated">): CodexNative {
  const total = {
    totalTokens: data.inputTokens + data.outputTokens,
    inputTokens: data.inputTokens,
    cachedInputTokens: data.cachedInputTokens,
    outputTokens: data.outputTokens,
    reasoningOutputTokens: data.reasoningTokens,
  };
  // The first line of a thread counts from what was there before its last request: all of it is that request's.
  const tokenUsage = {
    total,
    last: { ...total, totalTokens: data.contextTokens },
    modelContextWindow: data.contextWindow ?? null,
  };
  return { method: "thread/tokenUsage/updated", params: { threadId, tokenUsage } };
}
