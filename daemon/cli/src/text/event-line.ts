import type { Body, EventType, Item, ModelRequest, Part, UniversalEvent } from "@muster/schema";
import { printable } from "./printable.ts";

/** One event as one line: number, time of day, session, type and what matters of it. */
export function eventLine(event: UniversalEvent): string {
  // A newer daemon may send types that this table does not know; they still are a line.
  const summary = (summaries[event.type] as ((data: unknown) => string) | undefined) ?? JSON.stringify;
  const text = `${event.sequence} ${event.time.slice(11, 23)} ${event.sessionId} ${event.type} ${summary(event.data)}`;
  return `${printable(text.trimEnd()).replaceAll("\n", "\\n")}\n`;
}

const summaries: { [T in EventType]: (data: Body<T>["data"]) => string } = {
  "session.started": (data) => words(data.agent, data.agentVersion, data.model, data.permissionMode, data.directory),
  "session.updated": (data) => JSON.stringify(data),
  "session.ended": (data) => words(data.reason, `by ${data.terminatedBy}`, data.message),
  "session.rewound": (data) => words(data.undone ? "back to" : "to", `turn ${data.toTurn}`, ...data.turns),
  "session.forked": (data) => words(`from ${data.from} at turn ${data.at}`, data.directory),
  "agent.changed": (data) => words(`${data.from} to ${data.to}`, data.how, ...data.notCarried),
  "message.updated": (data) => words(data.messageId, data.status, data.turnId),
  "turn.started": (data) => words(data.turnId, `by ${data.origin}`, ...data.messageIds),
  "turn.ended": (data) => words(data.turnId, data.status, data.cause, data.message),
  "item.started": ({ item }) => words(item.itemId, item.kind, item.role),
  "item.delta": (data) => words(data.itemId, data.part, JSON.stringify(data.delta)),
  "item.completed": ({ item }) => words(item.itemId, item.kind, item.role, item.status, contentOf(item)),
  "question.requested": (data) => words(data.questionId, ...data.questions.map(({ question }) => question)),
  "question.resolved": (data) => words(data.questionId, data.status, data.message),
  "permission.requested": (data) => words(data.permissionId, data.action, data.title),
  "permission.resolved": (data) => words(data.permissionId, data.decision, `by ${data.by}`, data.message),
  "plan.updated": (data) => data.entries.map(({ content, status }) => `[${status}] ${content}`).join("; "),
  "usage.updated": ({ request, ...data }) =>
    request ? requestLine(request) : `${data.inputTokens} in, ${data.outputTokens} out`,
  "budget.warned": ({ spentUsd, budgetUsd }) => `${spentUsd} of ${budgetUsd} USD are spent`,
  error: (data) => words(data.code, data.message),
  "snapshot.skipped": ({ turnId, moment, reason, detail }) =>
    words(`no snapshot at the ${moment} of ${turnId}, ${reason}`, detail),
  "agent.unparsed": (data) => words(data.error, JSON.stringify(data.raw)),
  "log.damaged": ({ from, to, bytes }) => `events ${from} to ${to} cannot be read any more (${bytes} bytes)`,
};

function requestLine({ state, model, inputTokens, outputTokens, listUsd, status }: ModelRequest): string {
  const counted = `${inputTokens} in, ${outputTokens} out, ${listUsd} USD`;
  return words("request", model, state === "open" ? "begins" : String(status ?? "unanswered"), counted);
}

function words(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function contentOf(item: Item): string {
  return item.content.map(partText).join(" ");
}

/** What a person reads of one part. */
export function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "plan":
      return part.text;
    case "tool_call":
      return `${part.title ?? part.name} ${JSON.stringify(part.input)}`;
    case "tool_result":
      return part.output;
    case "file":
      return `${part.action} ${part.path}`;
    case "image":
      return `image ${part.mime} ${part.path ?? ""}`.trimEnd();
    case "status":
      return part.detail === undefined ? part.label : `${part.label}: ${part.detail}`;
    case "json":
      return JSON.stringify(part.json);
  }
}
