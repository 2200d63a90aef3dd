import type { Problem } from "./wire.ts";

/** status → [type, code], as the OpenAI API names them. */
const names: Record<number, readonly [type: string, code: string | null]> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  402: ["insufficient_quota", "insufficient_quota"],
  403: ["invalid_request_error", "permission_denied"],
  404: ["invalid_request_error", "not_found"],
  413: ["invalid_request_error", "request_too_large"],
  429: ["requests", "rate_limit_exceeded"],
  529: ["server_error", "overloaded"],
};

/** The error body of Chat Completions and Responses alike. */
export function openaiProblem({ status, message, code }: Problem) {
  const [type, usual] = names[status] ?? [status >= 500 ? "server_error" : "invalid_request_error", null];
  return { error: { message, type, param: null, code: code ?? usual } };
}
