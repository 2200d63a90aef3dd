import { z } from "zod";
import { SendMessage, SentMessage, UniversalMessage } from "../messages.ts";
import { UniversalEvent } from "../universal-event.ts";
import type { Operation } from "./operation.ts";
import { empty, eventFilter, inSession, json, session, sse } from "./row-parts.ts";

const message = session.extend({ messageId: z.string().describe("The message to take back") });

const attachment = session.extend({
  attachment: z.string().describe("The last part of the path that its message names"),
});

export const messageOperations = {
  "sessions.sendMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages",
    summary: "Accepts a message; answers when it is safe on disk",
    description:
      "What becomes of it is told by events: read them from the sequence in the answer. With a messageId of your own, sending it again is harmless.",
    params: session,
    body: SendMessage,
    answer: "json",
    status: 202,
    response: SentMessage,
    cli: ["sessions", "send-message"],
    scope: "work",
    problems: [
      ...inSession,
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "unsupported_agent_version",
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.streamMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages/stream",
    summary: "Sends a message and streams the events until its turn has ended",
    description:
      "The stream begins with the message's own event and ends with turn.ended. Leaving it does not interrupt the turn.",
    params: session,
    query: z.object({ raw: eventFilter.raw, deltas: eventFilter.deltas }),
    body: SendMessage,
    ...sse,
    response: UniversalEvent,
    cli: ["sessions", "stream-message"],
    scope: "work",
    problems: [
      ...inSession,
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "unsupported_agent_version",
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.getMessages": {
    method: "GET",
    path: "/sessions/{sessionId}/messages",
    summary: "The conversation, folded from the log",
    description: "The whole conversation at once, for those who want what was said and not how it came about.",
    params: session,
    ...json,
    response: z.object({ messages: z.array(UniversalMessage).describe("All of them, oldest first") }),
    cli: ["sessions", "get-messages"],
    scope: "read",
    problems: [...inSession],
  },
  "sessions.getAttachment": {
    method: "GET",
    path: "/sessions/{sessionId}/attachments/{attachment}",
    summary: "The content of a file that came with a message",
    description:
      "Only what was sent as data is kept by the daemon; a file that was attached by its path lies where it lay. Name and media type stand in the message.",
    params: attachment,
    ...json,
    response: z.object({
      size: z.int().nonnegative().describe("In bytes"),
      data: z.string().describe("The content in base64"),
    }),
    cli: ["sessions", "get-attachment"],
    scope: "read",
    problems: [...inSession, "attachment_not_found"],
  },
  "sessions.cancelMessage": {
    method: "DELETE",
    path: "/sessions/{sessionId}/messages/{messageId}",
    summary: "Takes back a message that is still queued",
    description: "A message that was given to the agent already cannot be taken back; interrupt its turn instead.",
    params: message,
    ...empty,
    cli: ["sessions", "cancel-message"],
    scope: "work",
    problems: [...inSession, "message_not_found", "already_given"],
  },
} as const satisfies Record<string, Operation>;
