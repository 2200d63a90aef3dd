import type { ProblemRows } from "./problem-row.ts";

/** The daemon itself: its limits, its files, its end. */
export const daemonProblems = {
  too_many_requests: [429, "Too many requests"],
  session_unreadable: [500, "The files of the session are damaged"],
  internal: [500, "Something is broken in the daemon"],
  shutting_down: [503, "The daemon is shutting down"],
  too_many_sessions: [503, "The daemon has no room for more"],
  writer_replaced: [503, "Another daemon has taken the data directory"],
  storage_full: [507, "The event log cannot be written"],
} as const satisfies ProblemRows;
