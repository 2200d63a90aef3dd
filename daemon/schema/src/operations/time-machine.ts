import { z } from "zod";
import { SessionId } from "../ids.ts";
import {
  ForkedSessions,
  ForkSession,
  HandedOver,
  HandOver,
  Rewind,
  Rewound,
  SessionChanges,
  UndoRewind,
} from "../time-machine.ts";
import type { Operation } from "./operation.ts";
import { inSession, json, session } from "./row-parts.ts";

const Turn = z.coerce.number().int().nonnegative();

export const timeMachineOperations = {
  "sessions.rewind": {
    method: "POST",
    path: "/sessions/{sessionId}/rewind",
    summary: "Takes the conversation and the files back to the end of a turn",
    description:
      "Files that a person or another session changed since are conflicts: then nothing is done, and the answer names them. While a turn runs, a request waits or messages are queued it is refused with session_busy, unless interrupt ends them first. What was said stays in the log, marked as rewound; what it cost stays counted.",
    params: session,
    body: Rewind,
    ...json,
    response: Rewound,
    cli: ["sessions", "rewind"],
    scope: "work",
    problems: [...inSession, "turn_not_found", "session_busy", "cannot_rewind", "rewind_conflict"],
  },
  "sessions.undoRewind": {
    method: "POST",
    path: "/sessions/{sessionId}/rewind/undo",
    summary: "Takes the last rewind back",
    description: "As long as no turn has begun since. Files that somebody changed since are conflicts, as in a rewind.",
    params: session,
    body: UndoRewind,
    ...json,
    response: Rewound,
    cli: ["sessions", "undo-rewind"],
    scope: "work",
    problems: [...inSession, "session_busy", "nothing_to_undo", "cannot_rewind", "rewind_conflict"],
  },
  "sessions.fork": {
    method: "POST",
    path: "/sessions/{sourceId}/fork",
    summary: "Makes sessions that go on from a turn of this one",
    description:
      "A fork has the events up to that turn as its own, and its agent remembers what was said up to there. With directory it works in a copy of the files as they were then. The session itself stays as it is.",
    params: z.object({ sourceId: SessionId }),
    body: ForkSession,
    answer: "json",
    status: 201,
    response: ForkedSessions,
    cli: ["sessions", "fork"],
    scope: "work",
    problems: [...inSession, "turn_not_found", "cannot_fork", "session_exists", "session_deleted", "too_many_sessions"],
  },
  "sessions.handOver": {
    method: "POST",
    path: "/sessions/{sessionId}/hand-over",
    summary: "Lets another agent go on with the session",
    description:
      "The new agent gets the conversation as the log has it, without what was rewound. A key that the session was given is the old agent's and is forgotten.",
    params: session,
    body: HandOver,
    ...json,
    response: HandedOver,
    cli: ["sessions", "hand-over"],
    cliNames: { agent: "to", token: "agent-token" },
    scope: "work",
    problems: [...inSession, "session_busy", "unsupported_agent", "unsupported_option", "cannot_hand_over"],
  },
  "sessions.changes": {
    method: "GET",
    path: "/sessions/{sessionId}/changes",
    summary: "How the files differ between the ends of two turns, and who changed them",
    description:
      "With other the comparison goes to a turn of another session; from and to are then the last turns that are over by default.",
    params: session,
    query: z.object({
      from: Turn.optional().describe("The end of this turn; 0, the beginning, by default"),
      to: Turn.optional().describe("The end of that turn; by default as the files are now"),
      other: SessionId.optional().describe(
        "A session, such as a fork of this one, whose turn `to` is; by default this one",
      ),
    }),
    ...json,
    response: SessionChanges,
    cli: ["sessions", "changes"],
    scope: "read",
    problems: [...inSession, "turn_not_found"],
  },
} as const satisfies Record<string, Operation>;
