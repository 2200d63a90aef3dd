import type { ProblemRows } from "./problem-row.ts";

/** The path, the method and what they name. */
export const routeProblems = {
  not_found: [404, "No such route"],
  session_not_found: [404, "No such session"],
  request_not_found: [404, "No such question or permission"],
  message_not_found: [404, "No such message"],
  attachment_not_found: [404, "No such attachment"],
  token_not_found: [404, "No such access token"],
  method_not_allowed: [405, "The route does not take this method"],
  request_timeout: [408, "The request did not arrive in time"],
} as const satisfies ProblemRows;
