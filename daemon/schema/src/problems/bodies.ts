import type { ProblemRows } from "./problem-row.ts";

export const bodyProblems = {
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body must be application/json"],
} as const satisfies ProblemRows;
