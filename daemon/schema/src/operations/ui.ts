import { SendUi, UiChunk } from "../ui.ts";
import type { Operation } from "./operation.ts";
import { inSession, none, session } from "./row-parts.ts";

const ui = { answer: "ui", status: 200, response: UiChunk } as const;

export const uiOperations = {
  "ui.send": {
    method: "POST",
    path: "/ui",
    summary: "Takes what the AI SDK's useChat posts and streams its chunks, up to the end of the turn or a request",
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
      "credentials_required",
      "storage_full",
    ],
  },
  "ui.resume": {
    method: "GET",
    path: "/ui/{sessionId}/stream",
    summary: "The same stream for the open turn, from its beginning; nothing when no turn is open",
    params: session,
    ...ui,
    cli: ["ui", "resume"],
    scope: "read",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
