import type { IncomingHttpHeaders } from "node:http";

/** The request is answered with an error that its sender should read. Thrown by the deepest room, answered in one place. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** A word for programs; many refusals have only their text. */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    options: { code?: string; headers?: Record<string, string>; more?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = options.code;
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
  }
}

/** The database is busy, or being started again. */
export function databaseBusy(): Refusal {
  return new Refusal(503, "The database is busy. Try again.", { headers: { "retry-after": "1" } });
}

/**
 * Codes are plain strings, as our clients read them. A client of the OpenAI kind shows the text only when it is nested, so it
 * gets it both ways, unless it says that it is one of ours.
 */
export function refusalBody({ code, message, more }: Refusal, headers: IncomingHttpHeaders): object {
  if (wantsNestedError(headers)) return { error: { message, code: code ?? null }, message, ...more };
  return code === undefined ? { message, ...more } : { error: code, message, ...more };
}

function wantsNestedError(headers: IncomingHttpHeaders): boolean {
  if (headers["x-codebuff-client"] !== undefined) return false;
  return headers["user-agent"]?.startsWith("ai-sdk/openai-compatible") ?? false;
}
