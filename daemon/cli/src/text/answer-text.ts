import { plain } from "@muster/core";
import type { Answer, OperationId, UniversalMessage } from "@muster/schema";
import type { OperationInput } from "../fields/operation-input.ts";
import { eventLine, partText } from "./event-line.ts";
import { filesText, matchesText } from "./file-text.ts";
import { agentsText, nobody, sessionsText, type Viewer } from "./list-text.ts";
import { printable } from "./printable.ts";
import { permissionCommand, permissionText, questionCommand, questionText } from "./request-text.ts";
import { table } from "./table.ts";
import { outline } from "./value-outline.ts";

/** An answer for a person: lists as tables, conversations as lines, everything else as `key: value`. */
export function answerText(
  id: OperationId,
  answer: unknown,
  params: OperationInput["params"] = {},
  viewer: Viewer = nobody,
): string {
  if (answer === undefined) return printable(`${confirmations[id]?.(params) ?? "done"}\n`);
  if (typeof answer === "string") return printable(answer);
  const form = forms[id] as ((answer: unknown, params: OperationInput["params"], viewer: Viewer) => string) | undefined;
  return form?.(answer, params, viewer) ?? outline(answer);
}

/** Operation → its own form; the rest are outlines. */
const forms: {
  [Id in OperationId]?: (answer: Answer<Id>, params: OperationInput["params"], viewer: Viewer) => string;
} = {
  "agents.list": (answer, _, viewer) => agentsText(answer, viewer),
  "agents.uninstall": ({ removed }) =>
    removed.length === 0 ? "nothing of it was installed by the daemon\n" : `removed ${removed.join(", ")}\n`,
  "agents.listModels": ({ models }, _, { columns }) =>
    table(["id", "name", "provider", "default", "variants"], models, columns),
  "agents.listModes": ({ modes }, _, { columns }) => table(["id", "name", "default", "description"], modes, columns),
  "sessions.create": createdText,
  "sessions.list": (answer, _, viewer) => sessionsText(answer, viewer),
  "sessions.getMessages": ({ messages }) => messages.map(messageText).join(""),
  "sessions.listRequests": requestsText,
  "sessions.getEvents": ({ events, hasMore }) =>
    events.map(eventLine).join("") + moreLine(hasMore, `--offset ${events.at(-1)?.sequence}`),
  "files.list": (answer, _, { columns }) => filesText(answer, columns),
  "files.search": matchesText,
  "credentials.list": ({ credentials }, _, { columns }) =>
    table(["agent", "provider", "found", "kind", "source", "note"], credentials, columns),
  "tokens.create": ({ token, tokenId, scope, expiresAt }) =>
    `${token}\nshown only this once; ${tokenId} has the scope ${scope} ${expiresAt ? `until ${expiresAt}` : "until it is revoked"}\n`,
  "tokens.list": ({ tokens }, _, { columns }) =>
    tokens.length === 0
      ? "there is none but the daemon's own\n"
      : table(["tokenId", "name", "scope", "sessions", "agents", "expiresAt", "lastUsedAt"], tokens, columns),
};

/** What was done, where the answer is empty. */
const confirmations: { [Id in OperationId]?: (params: Record<string, unknown>) => string } = {
  "sessions.delete": ({ sessionId }) => `deleted ${sessionId}`,
  "sessions.cancelMessage": ({ messageId }) => `cancelled ${messageId}`,
  "sessions.replyQuestion": ({ questionId }) => `answered ${questionId}`,
  "sessions.rejectQuestion": ({ questionId }) => `rejected ${questionId}`,
  "sessions.replyPermission": ({ permissionId }) => `answered ${permissionId}`,
  "sessions.interrupt": ({ sessionId }) => `${sessionId} has no open turn any more`,
  "tokens.revoke": ({ tokenId }) => `${tokenId} lets nobody in any more`,
  "sessions.terminate": ({ sessionId }) => `the agent of ${sessionId} has ended; a message starts it again`,
};

function createdText({ healthy, error, validated, session }: Answer<"sessions.create">): string {
  const { sessionId, agent, agentVersion, model, directory } = session;
  if (!healthy) return printable(`${sessionId}: ${agent} did not start: ${error?.message ?? "no reason is known"}\n`);
  const what = [agent, agentVersion, model].filter(Boolean).join(" ");
  const key =
    validated === undefined ? "" : validated ? "; the provider takes its key" : "; its key could not be checked";
  const next = `sandbox-daemon sessions stream-message ${sessionId} '…'`;
  return printable(`${sessionId}: ${what} is ready in ${directory}${key}\nnext: ${next}\n`);
}

/** What waits, each with the command that answers it. */
function requestsText({ questions, permissions }: Answer<"sessions.listRequests">, params: OperationInput["params"]) {
  const sessionId = String(params.sessionId);
  const asked = [
    ...questions.map((one) => `${questionText(one, plain)}  ${questionCommand(sessionId, one)}\n`),
    ...permissions.map((one) => `${permissionText(one, plain)}  ${permissionCommand(sessionId, one)}\n`),
  ];
  return asked.join("\n") || "nothing waits for a person\n";
}

function moreLine(hasMore: boolean, next: string): string {
  return hasMore ? `more: ${next}\n` : "";
}

function messageText(message: UniversalMessage): string {
  const text = message.role === "unparsed" ? message.error : message.parts.map(partText).join("\n");
  const isOver = message.role === "unparsed" || message.status === "completed";
  const mark = isOver ? "" : ` (${message.status.replace("_", " ")})`;
  return `${message.role}${mark}: ${printable(text).replaceAll("\n", "\n  ")}\n`;
}
