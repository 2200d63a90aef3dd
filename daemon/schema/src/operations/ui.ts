import { SendUi, UiChunk, UiHistory } from "../ui.ts";
import type { Operation } from "./operation.ts";
import { inSession, json, none, session } from "./row-parts.ts";

const ui = { answer: "ui", status: 200, response: UiChunk } as const;

export const uiOperations = {
  "ui.send": {
    method: "POST",
    path: "/ui",
    summary: "Takes what the AI SDK's useChat posts and streams its chunks, up to the end of the turn or a request",
    description:
      "The chat is the session with its id, which must exist. The stream ends at a request that waits for a person; the answer is the next message.",
    params: none,
    body: SendUi,
    ...ui,
    cli: ["ui", "send"],
    scope: "work",
    problems: [
      ...inSession,
      "request_not_found",
      "unsupported_option",
      "message_conflict",
      "session_busy",
      "agent_unhealthy",
      "unsupported_agent_version",
      "credentials_required",
      "storage_full",
    ],
  },
  "ui.resume": {
    method: "GET",
    path: "/ui/{sessionId}/stream",
    summary: "The same stream for the open turn, from its beginning; nothing when no turn is open",
    description: "For resume of useChat: 204 where no turn is open.",
    params: session,
    ...ui,
    cli: ["ui", "resume"],
    scope: "read",
    problems: [...inSession],
  },
  "ui.getMessages": {
    method: "GET",
    path: "/ui/{sessionId}/messages",
    summary: "The conversation as messages of the AI SDK, for useChat({ messages })",
    description:
      "What a reloaded page shows. The open turn is left out: useChat gets it with resume, from the beginning of the turn.",
    params: session,
    ...json,
    response: UiHistory,
    cli: ["ui", "get-messages"],
    scope: "read",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
