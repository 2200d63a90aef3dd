import { z } from "zod";
import { UniversalEvent } from "../universal-event.ts";
import type { Operation } from "./operation.ts";
import { eventFilter, inSession, json, none, session, sse } from "./row-parts.ts";

const pageLimit = z.coerce.number().int().min(1).max(10_000).optional().describe("How many; 1000 by default");
const asAgent = z.string().optional().describe("Gives them as lines of this agent's own protocol");

/** Events of one session. */
export const sessionEventOperations = {
  "sessions.getEvents": {
    method: "GET",
    path: "/sessions/{sessionId}/events",
    summary: "A page of events",
    description: "Events behind offset, oldest first. With as, lines of another agent's own protocol in their place.",
    params: session,
    query: z.object({ ...eventFilter, as: asAgent, limit: pageLimit }),
    ...json,
    response: z.object({
      events: z.array(UniversalEvent).describe("With `as`, lines of that agent's protocol"),
      hasMore: z.boolean().describe("Whether another page follows"),
      last: z.int().optional().describe("With `as`: the offset of the next page"),
      leftOut: z
        .record(z.string(), z.int())
        .optional()
        .describe("With `as`: what that agent has no words for, and how often it was left out"),
    }),
    cli: ["sessions", "get-events"],
    scope: "read",
    problems: [...inSession, "unsupported_agent", "cursor_ahead"],
  },
  "sessions.streamEvents": {
    method: "GET",
    path: "/sessions/{sessionId}/events/sse",
    summary: "All events from an offset on, then live; stays open over turns and lives",
    description:
      "Server-sent events; the id of each is its sequence. Connect again with Last-Event-ID or offset and nothing is lost or told twice.",
    params: session,
    query: z.object({ ...eventFilter, as: asAgent }),
    ...sse,
    response: UniversalEvent,
    cli: ["sessions", "stream-events"],
    scope: "read",
    problems: [...inSession, "unsupported_agent", "cursor_ahead"],
  },
} as const satisfies Record<string, Operation>;

/** Events of many sessions. */
export const eventOperations = {
  "events.stream": {
    method: "GET",
    path: "/events/sse",
    summary: "Live events of all or the named sessions; without names only state changes and requests",
    description:
      "For dashboards: follows many sessions over one connection. With sessions all of their events are told; without, only state changes and requests, from now on.",
    params: none,
    query: z.object({
      sessions: z.string().optional().describe("Session ids, separated by commas"),
      deltas: eventFilter.deltas,
    }),
    ...sse,
    response: UniversalEvent,
    cli: ["events", "stream"],
    scope: "read",
    problems: [...inSession, "cursor_ahead"],
  },
} as const satisfies Record<string, Operation>;
