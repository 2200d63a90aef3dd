import { z } from "zod";
import { SendMessage, SentMessage, UniversalMessage } from "../messages.ts";
import { UniversalEvent } from "../universal-event.ts";
import type { Operation } from "./operation.ts";
import { empty, eventFilter, inSession, json, session, sse } from "./row-parts.ts";

const message = session.extend({ messageId: z.string() });

export const messageOperations = {
  "sessions.sendMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages",
    summary: "Accepts a message; answers when it is safe on disk",
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
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.streamMessage": {
    method: "POST",
    path: "/sessions/{sessionId}/messages/stream",
    summary: "Sends a message and streams the events until its turn has ended",
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
      "credentials_required",
      "storage_full",
    ],
  },
  "sessions.getMessages": {
    method: "GET",
    path: "/sessions/{sessionId}/messages",
    summary: "The conversation, folded from the log",
    params: session,
    ...json,
    response: z.object({ messages: z.array(UniversalMessage) }),
    cli: ["sessions", "get-messages"],
    scope: "read",
    problems: [...inSession],
  },
  "sessions.cancelMessage": {
    method: "DELETE",
    path: "/sessions/{sessionId}/messages/{messageId}",
    summary: "Takes back a message that is still queued",
    params: message,
    ...empty,
    cli: ["sessions", "cancel-message"],
    scope: "work",
    problems: [...inSession, "message_not_found", "already_given"],
  },
} as const satisfies Record<string, Operation>;
