import type { ProblemRows } from "./problem-row.ts";

/** Who asks, and from where. */
export const accessProblems = {
  unauthorized: [401, "A valid token is required"],
  scope_required: [403, "The token has too small a scope"],
  token_limited: [403, "The token is for other sessions or agents"],
  forbidden_host: [403, "The Host header is not allowed"],
  forbidden_origin: [403, "The Origin is not allowed"],
} as const satisfies ProblemRows;
