import type { ProblemRows } from "./problem-row.ts";

/** What was asked for does not exist or does not fit the agent. */
export const optionProblems = {
  invalid_request: [400, "The request is not valid"],
  unsupported_agent: [400, "No such agent"],
  unsupported_option: [400, "The agent does not support this option"],
} as const satisfies ProblemRows;
