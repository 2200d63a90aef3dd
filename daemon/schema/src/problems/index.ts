import { accessProblems } from "./access.ts";
import { agentProblems } from "./agents.ts";
import { bodyProblems } from "./bodies.ts";
import { conflictProblems } from "./conflicts.ts";
import { daemonProblems } from "./daemon.ts";
import { fileProblems } from "./files.ts";
import { optionProblems } from "./options.ts";
import { processProblems } from "./processes.ts";
import { routeProblems } from "./routes.ts";
import { timeMachineProblems } from "./time-machine.ts";

/**
 * code → [status, title]. Adding a failure means adding a row to the file of its subject; everything else follows, in this
 * order.
 */
export const problems = {
  ...optionProblems,
  ...accessProblems,
  ...routeProblems,
  ...processProblems,
  ...conflictProblems,
  ...timeMachineProblems,
  ...bodyProblems,
  ...agentProblems,
  ...daemonProblems,
  ...fileProblems,
} as const;

export type ProblemCode = keyof typeof problems;

/** RFC 7807, with `code` for programs and further fields such as `sessionId` beside it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  [field: string]: unknown;
}
