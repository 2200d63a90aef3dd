import { APICallError } from "@ai-sdk/provider";
import { parseJson } from "@muster/core";
import { z } from "zod";

/**
 * What went wrong on a way to a model, in the words the fallback table knows:
 * `rate_limit` come back later · `auth` this credential is not accepted · `network` no answer at all · `server` their
 * fault, may pass · `cut` the answer broke off · `refused` asking again changes nothing.
 */
export type FailureKind = "rate_limit" | "auth" | "network" | "server" | "cut" | "refused";

export class ModelFailure extends Error {
  readonly kind: FailureKind;
  readonly code: string | undefined;
  readonly statusCode: number | undefined;
  /** When the service will take requests again, as it said itself. */
  readonly resetAtMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    more: { code?: string; statusCode?: number; resetAtMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "ModelFailure";
    this.kind = kind;
    this.code = more.code;
    this.statusCode = more.statusCode;
    this.resetAtMs = more.resetAtMs;
  }
}

/** The part of an address that tells a person which service it is, and no secret. */
export function shownAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Reads what a provider threw or said in its stream. */
export function asModelFailure(error: unknown, nowMs: number): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (APICallError.isInstance(error)) {
    const headers = new Headers(error.responseHeaders ?? {});
    if (error.statusCode === undefined) return new ModelFailure("network", networkMessage(error), { cause: error });
    if (error.statusCode < 400) return new ModelFailure("cut", error.message, { cause: error });
    return failureOfStatus(error.statusCode, error.responseBody ?? "", headers, nowMs);
  }
  if (isNetworkError(error)) return new ModelFailure("network", networkMessage(error), { cause: error });
  return failureOfFrame(error);
}

/** An HTTP answer that is not 2xx. Both shapes of an error body are read: `{error: code, message}` and `{error: {…}}`. */
export function failureOfStatus(status: number, body: string, headers: Headers, nowMs: number): ModelFailure {
  const { code, message } = readErrorBody(body);
  const more = { statusCode: status, code: codeOf(status, code, message), resetAtMs: resetTime(headers, nowMs) };
  const text = message ?? `The model service answered with status ${status}`;
  if (status === 429) return new ModelFailure("rate_limit", text, more);
  if (status === 401 || status === 403) return new ModelFailure("auth", text, more);
  if (status === 408 || status >= 500) return new ModelFailure("server", text, more);
  return new ModelFailure("refused", text, more);
}

const ErrorObject = z.looseObject({
  message: z.string().optional(),
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
});
const ErrorBody = z.looseObject({
  error: z.union([z.string(), ErrorObject]).nullish(),
  message: z.string().optional(),
});

function readErrorBody(body: string): { code?: string; message?: string } {
  const parsed = parseJson(body);
  if (parsed === undefined) {
    // Proxies answer with HTML or plain text.
    const text = /^\s*</.test(body) ? "" : body.trim().slice(0, 500);
    return text === "" ? {} : { message: text };
  }
  const read = ErrorBody.safeParse(Array.isArray(parsed) ? parsed[0] : parsed);
  if (!read.success) return {};
  const { error, message } = read.data;
  if (typeof error === "string") return { code: error, message: message ?? error };
  const code = error?.code ?? error?.type;
  return { code: code == null ? undefined : String(code), message: error?.message ?? message };
}

/** An error frame inside a stream that began well. */
function failureOfFrame(error: unknown): ModelFailure {
  const said = ErrorObject.safeParse(error);
  const nested = z.looseObject({ error: ErrorObject }).safeParse(error);
  const frame = nested.success ? nested.data.error : said.success ? said.data : {};
  const message = frame.message ?? (typeof error === "string" ? error : "The answer broke off");
  const code = frame.type ?? frame.code ?? undefined;
  const word = code == null ? undefined : String(code);
  if (/rate.?limit/i.test(word ?? "")) return new ModelFailure("rate_limit", message, { code: word, cause: error });
  if (/overloaded|server_error|api_error|internal|unavailable/i.test(word ?? ""))
    return new ModelFailure("server", message, { code: word, cause: error });
  if (isParseError(error) || frame.message === undefined) return new ModelFailure("cut", message, { cause: error });
  return new ModelFailure("refused", message, { code: codeOf(undefined, word, message), cause: error });
}

function codeOf(status: number | undefined, code: string | undefined, message = ""): string | undefined {
  if (code === "context_length_exceeded" || /prompt is too long|context length|context window/i.test(message))
    return "context_overflow";
  if (status === 402) return "out_of_credits";
  if (status === 401) return "bad_credentials";
  if (status === 429) return code ?? "rate_limit_exceeded";
  return code;
}

/** The latest of what the service says: `Retry-After` in seconds or as a date, or its own reset headers. */
function resetTime(headers: Headers, nowMs: number): number | undefined {
  const after = headers.get("retry-after-ms");
  if (after !== null && Number.isFinite(Number(after))) return nowMs + Number(after);
  const retry = headers.get("retry-after");
  if (retry !== null) {
    const seconds = Number(retry);
    const time = Number.isFinite(seconds) ? nowMs + seconds * 1000 : Date.parse(retry);
    if (Number.isFinite(time)) return time;
  }
  const reset = headers.get("anthropic-ratelimit-unified-reset") ?? headers.get("x-ratelimit-reset");
  const value = reset === null ? Number.NaN : Number(reset);
  if (Number.isFinite(value)) return value > 1e12 ? value : value > 1e9 ? value * 1000 : nowMs + value * 1000;
  const date = reset === null ? Number.NaN : Date.parse(reset);
  return Number.isFinite(date) ? date : undefined;
}

function isParseError(error: unknown): boolean {
  return error instanceof Error && /JSON|TypeValidation|InvalidResponseData/i.test(error.name);
}

const networkCodes =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPIPE|ETIMEDOUT|UND_ERR|ERR_STREAM_PREMATURE)/;

function isNetworkError(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ("code" in one && networkCodes.test(String(one.code))) return true;
    if (one instanceof TypeError && /fetch failed|terminated|network/i.test(one.message)) return true;
  }
  return false;
}

function networkMessage(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ("code" in one && one.code !== undefined) return `The model service cannot be reached (${String(one.code)})`;
  }
  return "The connection to the model service broke";
}
