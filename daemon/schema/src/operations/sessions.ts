import { z } from "zod";
import { SessionId } from "../ids.ts";
import { CreatedSession, CreateSession, Session, SessionState, UpdateSession } from "../session.ts";
import type { Operation } from "./operation.ts";
import { empty, Flag, inSession, json, none, session } from "./row-parts.ts";

const newSession = z.object({ sessionId: SessionId.optional() });

export const sessionOperations = {
  "sessions.create": {
    method: "POST",
    path: "/sessions/{sessionId}",
    madeParam: "sessionId",
    summary: "Creates a session and starts its agent; without an id one is made",
    params: newSession,
    query: z.object({ reuse: Flag.optional().describe("Takes the id again of a session that was deleted") }),
    body: CreateSession,
    answer: "json",
    status: 201,
    response: CreatedSession,
    cli: ["sessions", "create"],
    cliNames: { token: "agent-token" },
    scope: "work",
    problems: [
      "unsupported_agent",
      "unsupported_option",
      "session_exists",
      "session_deleted",
      "too_many_sessions",
      "storage_full",
    ],
  },
  "sessions.list": {
    method: "GET",
    path: "/sessions",
    summary: "Sessions in the order they were created, or the last used first",
    params: none,
    query: z.object({
      after: SessionId.optional().describe("The last session id of the page before"),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe("How many; 100 by default"),
      state: SessionState.optional().describe("Only those in this state"),
      agent: z.string().optional().describe("Only those of this agent"),
      directory: z.string().optional().describe("Only those that work in this directory"),
      order: z.enum(["created", "updated"]).optional().describe("created: oldest first; updated: last used first"),
    }),
    ...json,
    response: z.object({ sessions: z.array(Session), hasMore: z.boolean() }),
    cli: ["sessions", "list"],
    scope: "read",
    problems: [],
  },
  "sessions.get": {
    method: "GET",
    path: "/sessions/{sessionId}",
    summary: "One session",
    params: session,
    ...json,
    response: Session,
    cli: ["sessions", "get"],
    scope: "read",
    problems: [...inSession],
  },
  "sessions.update": {
    method: "PATCH",
    path: "/sessions/{sessionId}",
    summary: "Changes model, mode, variant, permission mode, title, limits or secrets",
    params: session,
    body: UpdateSession,
    ...json,
    response: Session,
    cli: ["sessions", "update"],
    cliNames: { token: "agent-token" },
    scope: "work",
    problems: [...inSession, "unsupported_option", "storage_full"],
  },
  "sessions.delete": {
    method: "DELETE",
    path: "/sessions/{sessionId}",
    summary: "Kills the agent, ends the readers, removes the log",
    params: session,
    ...empty,
    cli: ["sessions", "delete"],
    scope: "work",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
