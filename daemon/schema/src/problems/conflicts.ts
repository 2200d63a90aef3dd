import type { ProblemRows } from "./problem-row.ts";

/** The state of a session, a message or an agent speaks against it. */
export const conflictProblems = {
  session_exists: [409, "The session exists with another configuration"],
  session_deleted: [410, "The session was deleted"],
  message_conflict: [409, "The message id was used for another message"],
  already_resolved: [409, "The request has been answered"],
  agent_in_use: [409, "Sessions of the agent are at work"],
  already_given: [409, "The message is no longer queued"],
  session_busy: [409, "A turn is open"],
  cursor_ahead: [409, "The cursor is beyond the end of the log"],
} as const satisfies ProblemRows;
