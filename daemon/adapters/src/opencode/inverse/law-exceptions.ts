import type { Body, EventBody, Item } from "@muster/schema";
import { type EventException, isOneOf } from "../../converter/event-exception.ts";
import { toolKindOf } from "../wire/tools.ts";

/** Where the two-way law does not hold for this agent, and why. */
export const unsayable: readonly EventException[] = [
  {
    what: "session.started, session.ended, message.updated, question.resolved, permission.resolved",
    why: "the daemon makes them; OpenCode knows of them only by our commands",
    holds: isOneOf("session.started", "session.ended", "message.updated", "question.resolved", "permission.resolved"),
  },
  {
    what: "agent.unparsed",
    why: "it is what has no form in OpenCode's words",
    holds: isOneOf("agent.unparsed", "log.damaged"),
  },
  {
    what: "turn.started with origin user",
    why: "it is the answer to a message of ours, the engine has opened it already",
    holds: (body) => body.type === "turn.started" && body.data.origin === "user",
  },
  {
    what: "turn.ended",
    why: "no single line ends a turn: it is decided from idle, errors and the last message together",
    holds: isOneOf("turn.ended"),
  },
  { what: "error", why: "an error is told in the turn it belongs to, which has to be open", holds: isOneOf("error") },
  {
    what: "usage.updated",
    why: "it is added up here over the steps of an open turn",
    holds: isOneOf("usage.updated"),
  },
  {
    what: "session.updated",
    why: "the first title is the one we gave; the rest is spread over lines that tell other things",
    holds: isOneOf("session.updated"),
  },
  {
    what: "permission.requested",
    why: "title, detail and scope are made here from the call",
    holds: isOneOf("permission.requested"),
  },
  {
    what: "question.requested other than plain questions",
    why: "OpenCode numbers questions by their place and names options by their label; it has no types, plans or secrets",
    holds: (body) => body.type === "question.requested" && !isPlainQuestion(body.data),
  },
  {
    what: "item.delta, item.completed",
    why: "they go on with a part of the assistant that has been begun, and end it; a whole part is told as both",
    holds: isOneOf("item.delta", "item.completed"),
  },
  {
    what: "item.started that is not an empty message or thought of the assistant, or a call without input",
    why: "parts begin empty; sub-agents, background and replacement are told by other lines",
    holds: (body) => body.type === "item.started" && !isStart(body.data.item),
  },
];

export const isSayable = (body: EventBody) => !unsayable.some(({ holds }) => holds(body));

function isStart({ kind, role, status, content, parentId, background, supersededBy }: Item): boolean {
  if (role !== "assistant" || status !== "in_progress") return false;
  if (parentId !== undefined || background !== undefined || supersededBy !== undefined) return false;
  if (kind === "message" || kind === "reasoning") return content.length === 0;
  const [call, ...others] = content;
  if (kind !== "tool_call" || call?.type !== "tool_call" || others.length > 0) return false;
  const isEmpty = JSON.stringify(call.input) === "{}";
  return isEmpty && call.title === undefined && call.toolKind === toolKindOf(call.name);
}

function isPlainQuestion({ kind, questions, itemId, allowedPrompts }: Body<"question.requested">["data"]): boolean {
  if (kind !== "question" || itemId !== undefined || allowedPrompts !== undefined) return false;
  return questions.every(
    ({ id, type, body, secret, options }, index) =>
      id === `q${index + 1}` &&
      type === "string" &&
      body === undefined &&
      secret === undefined &&
      options.every((option) => option.id === option.label),
  );
}
