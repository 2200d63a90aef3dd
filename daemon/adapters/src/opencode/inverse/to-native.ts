import type { Body, EventBody, Item } from "@muster/schema";
import type { OpencodeLine } from "../wire/native.ts";

/** The line with which the agent would have said this; what it cannot say is in `law-exceptions`. */
export function nativeLine(body: EventBody, sessionID: string): OpencodeLine | null {
  switch (body.type) {
    case "turn.started":
      return { type: "session.status", properties: { sessionID, status: { type: "busy" } } };
    case "plan.updated":
      return { type: "todo.updated", properties: { sessionID, todos: body.data.entries } };
    case "question.requested":
      return { type: "question.asked", properties: { ...questionWords(body.data), sessionID } };
    case "item.started":
      return { type: "message.part.updated", properties: { sessionID, part: partOf(body.data.item, sessionID) } };
    case "session.started":
    case "session.updated":
    case "session.ended":
    case "turn.ended":
    case "message.updated":
    case "item.delta":
    case "item.completed":
    case "question.resolved":
    case "permission.requested":
    case "permission.resolved":
    case "usage.updated":
    case "error":
    case "agent.unparsed":
    case "log.damaged":
      return null;
  }
}

function questionWords({ questionId, questions }: Body<"question.requested">["data"]) {
  return {
    id: questionId,
    questions: questions.map(({ question, header, options, multiSelect, allowCustom }) => ({
      question,
      header,
      options: options.map(({ label, description }) => ({ label, description })),
      multiple: multiSelect,
      custom: allowCustom,
    })),
  };
}

function partOf({ itemId, nativeItemId, kind, content }: Item, sessionID: string) {
  const head = { id: nativeItemId ?? itemId, messageID: "msg_1", sessionID };
  const [call] = content;
  if (call?.type === "tool_call") {
    return { ...head, type: "tool", tool: call.name, callID: call.callId, state: { status: "pending", input: {} } };
  }
  return { ...head, type: kind === "message" ? "text" : "reasoning", text: "", time: { start: 0 } };
}
