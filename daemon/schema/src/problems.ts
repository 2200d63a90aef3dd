import { z } from "zod";

/** code → [status, title]. Adding a failure means adding a line here; everything else follows. */
export const problems = {
  invalid_request: [400, "The request is not valid"],
  unsupported_agent: [400, "No such agent"],
  unsupported_option: [400, "The agent does not support this option"],
  unauthorized: [401, "A valid token is required"],
  forbidden_host: [403, "The Host header is not allowed"],
  forbidden_origin: [403, "The Origin is not allowed"],
  not_found: [404, "No such route"],
  session_not_found: [404, "No such session"],
  request_not_found: [404, "No such question or permission"],
  message_not_found: [404, "No such message"],
  method_not_allowed: [405, "The route does not take this method"],
  request_timeout: [408, "The request did not arrive in time"],
  session_exists: [409, "The session exists with another configuration"],
  session_deleted: [410, "The session was deleted"],
  message_conflict: [409, "The message id was used for another message"],
  already_resolved: [409, "The request has been answered"],
  agent_in_use: [409, "Sessions of the agent are at work"],
  already_given: [409, "The message is no longer queued"],
  session_busy: [409, "A turn is open"],
  cursor_ahead: [409, "The cursor is beyond the end of the log"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body must be application/json"],
  agent_unhealthy: [422, "The agent cannot be started"],
  credentials_required: [422, "The session's secrets were lost with a restart"],
  install_failed: [424, "The agent could not be installed"],
  too_many_requests: [429, "Too many requests"],
  session_unreadable: [500, "The files of the session are damaged"],
  internal: [500, "Something is broken in the daemon"],
  shutting_down: [503, "The daemon is shutting down"],
  too_many_sessions: [503, "The daemon has no room for more"],
  writer_replaced: [503, "Another daemon has taken the data directory"],
  storage_full: [507, "The event log cannot be written"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof problems;
export const ProblemCode = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]);

/** RFC 7807, with `code` for programs and further fields such as `sessionId` beside it. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: ProblemCode,
});
export type Problem = z.infer<typeof Problem>;

export interface FailureFields {
  /** Only where one code has two statuses: creating a deleted session is 409, reading it 410. */
  status?: number;
  [field: string]: unknown;
}

/** The caller asked for something that cannot be. Thrown in the deepest room, translated once at the edge. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: ProblemCode;
  readonly status: number;
  readonly fields: Record<string, unknown>;

  constructor(code: ProblemCode, detail: string, { status, ...fields }: FailureFields = {}) {
    super(detail);
    this.code = code;
    this.status = status ?? problems[code][0];
    this.fields = fields;
  }

  toProblem(): Problem {
    const [, title] = problems[this.code];
    const type = `https://muster.dev/problems/${this.code}`;
    return { type, title, status: this.status, detail: this.message, code: this.code, ...this.fields };
  }
}
