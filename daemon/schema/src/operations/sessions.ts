import { z } from "zod";
import { UsageReport } from "../events/wire-usage.ts";
import { SessionId } from "../ids.ts";
import { AgentName, CreatedSession, CreateSession, Session, SessionState, UpdateSession } from "../session.ts";
import type { Operation } from "./operation.ts";
import { empty, Flag, inSession, json, none, session } from "./row-parts.ts";

const newSession = z.object({ sessionId: SessionId.optional() });

export const sessionOperations = {
  "sessions.create": {
    method: "POST",
    path: "/sessions/{sessionId}",
    madeParam: "sessionId",
    summary: "Creates a session and starts its agent; without an id one is made",
    description:
      "Creating a session again under the same id with the same settings gives the one that is there. Secrets (token, env, mcp) stay in memory and must be given again after a restart of the daemon. When the agent cannot be started the session exists all the same, with healthy: false and error.",
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
    summary: "Sessions in the order they were created, or the last used first, or first those that wait for a person",
    description: "In pages: give the last id of one page as after for the next.",
    params: none,
    query: z.object({
      after: SessionId.optional().describe("The last session id of the page before"),
      limit: z.coerce.number().int().min(1).max(1000).optional().describe("How many; 100 by default"),
      state: SessionState.optional().describe("Only those in this state"),
      agent: AgentName.optional().describe("Only those of this agent"),
      directory: z.string().optional().describe("Only those that work in this directory"),
      search: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe(
          "Only those whose name, id or directory has all these words; without a title the first message is the name",
        ),
      order: z
        .enum(["created", "used", "waiting", "updated"])
        .optional()
        .describe(
          "created: oldest first; used: last used first; waiting: those that wait for a person, then as used; updated: the old word for used",
        ),
    }),
    ...json,
    response: z.object({
      sessions: z.array(Session).describe("One page of them"),
      hasMore: z.boolean().describe("Whether another page follows"),
    }),
    cli: ["sessions", "list"],
    scope: "read",
    problems: [],
  },
  "sessions.get": {
    method: "GET",
    path: "/sessions/{sessionId}",
    summary: "One session",
    description: "How it stands: state, open turn, queue, requests that wait, tokens and cost.",
    params: session,
    ...json,
    response: Session,
    cli: ["sessions", "get"],
    scope: "read",
    problems: [...inSession],
  },
  "sessions.usage": {
    method: "GET",
    path: "/sessions/{sessionId}/usage",
    summary: "What its model requests cost, as the gateway counted them",
    description:
      "In all, and by model, turn and sub-agent. What is open is counted by estimate, and so is what was cut.",
    params: session,
    ...json,
    response: UsageReport,
    cli: ["sessions", "usage"],
    scope: "read",
    problems: [...inSession],
  },
  "sessions.update": {
    method: "PATCH",
    path: "/sessions/{sessionId}",
    summary: "Changes model, mode, variant, permission mode, title, limits or secrets",
    description:
      "What the agent takes while it runs changes at once; for the rest a new process is started at the next message. What is absent stays as it is.",
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
    description: "For good: an id that was deleted is not taken again unless reuse is given.",
    params: session,
    ...empty,
    cli: ["sessions", "delete"],
    scope: "work",
    problems: [...inSession],
  },
} as const satisfies Record<string, Operation>;
