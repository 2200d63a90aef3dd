import type { Answer, OperationId, UniversalMessage } from "@muster/schema";
import { eventLine, partText } from "./event-line.ts";
import { printable } from "./printable.ts";
import { table } from "./table.ts";
import { outline } from "./value-outline.ts";

/** An answer for a person: lists as tables, conversations as lines, everything else as `key: value`. */
export function answerText(id: OperationId, answer: unknown): string {
  if (answer === undefined) return "";
  if (typeof answer === "string") return printable(answer);
  return (forms[id] as ((answer: unknown) => string) | undefined)?.(answer) ?? outline(answer);
}

/** Operation → its own form; the rest are outlines. */
const forms: { [Id in OperationId]?: (answer: Answer<Id>) => string } = {
  "agents.list": ({ agents }) =>
    table(["id", "name", "installed", "version", "source", "path", "credentialsAvailable"], agents),
  "agents.listModels": ({ models }) => table(["id", "name", "provider", "default", "variants"], models),
  "agents.listModes": ({ modes }) => table(["id", "name", "default", "description"], modes),
  "sessions.list": ({ sessions, hasMore }) =>
    table(["sessionId", "agent", "state", "model", "lastSequence", "updatedAt", "title"], sessions) +
    moreLine(hasMore, `--after ${sessions.at(-1)?.sessionId}`),
  "sessions.getMessages": ({ messages }) => messages.map(messageText).join(""),
  "sessions.getEvents": ({ events, hasMore }) =>
    events.map(eventLine).join("") + moreLine(hasMore, `--offset ${events.at(-1)?.sequence}`),
  "credentials.list": ({ credentials }) => table(["agent", "provider", "found", "kind", "source", "note"], credentials),
};

function moreLine(hasMore: boolean, next: string): string {
  return hasMore ? `more: ${next}\n` : "";
}

function messageText(message: UniversalMessage): string {
  const text = message.role === "unparsed" ? message.error : message.parts.map(partText).join("\n");
  return `${message.role}: ${printable(text).replaceAll("\n", "\n  ")}\n`;
}
