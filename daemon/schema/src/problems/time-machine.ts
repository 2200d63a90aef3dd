import type { ProblemRows } from "./problem-row.ts";

/** Rewind, fork and hand-over. */
export const timeMachineProblems = {
  turn_not_found: [404, "No such turn in the conversation"],
  cannot_rewind: [409, "The session cannot be rewound"],
  rewind_conflict: [409, "Somebody else changed files that the rewind would change"],
  nothing_to_undo: [409, "There is no rewind to take back"],
  cannot_hand_over: [409, "The other agent cannot go on with the session"],
  cannot_fork: [409, "The session cannot be forked"],
} as const satisfies ProblemRows;
