import type { ServerResponse } from "node:http";
import type { WireRequest } from "../ports.ts";

type Protocol = WireRequest["protocol"];

/** Why the gateway itself answers a request. */
type RefusalKind = "budget" | "price" | "key" | "session" | "path" | "pace" | "size" | "upstream" | "broken";

export interface Refusal {
  readonly kind: RefusalKind;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Statuses and types that end a turn at once with our words, measured with the agents (docs/decisions/0018): a budget is
 * never 429 or 403, which are tried again or taken for a wrong key.
 */
const forms: Readonly<
  Record<RefusalKind, { messages: [number, string]; openai: [number, string]; gemini: [number, string] }>
> = {
  budget: { messages: [402, "billing_error"], openai: [400, "budget_exceeded"], gemini: [400, "FAILED_PRECONDITION"] },
  price: {
    messages: [402, "billing_error"],
    openai: [400, "model_without_price"],
    gemini: [400, "FAILED_PRECONDITION"],
  },
  key: { messages: [401, "authentication_error"], openai: [401, "invalid_api_key"], gemini: [401, "UNAUTHENTICATED"] },
  session: {
    messages: [400, "invalid_request_error"],
    openai: [400, "unknown_session"],
    gemini: [400, "INVALID_ARGUMENT"],
  },
  path: { messages: [404, "not_found_error"], openai: [404, "not_found"], gemini: [404, "NOT_FOUND"] },
  pace: {
    messages: [429, "rate_limit_error"],
    openai: [429, "rate_limit_exceeded"],
    gemini: [429, "RESOURCE_EXHAUSTED"],
  },
  size: { messages: [413, "request_too_large"], openai: [413, "request_too_large"], gemini: [413, "INVALID_ARGUMENT"] },
  upstream: { messages: [502, "api_error"], openai: [502, "upstream_unreachable"], gemini: [502, "UNAVAILABLE"] },
  broken: { messages: [500, "api_error"], openai: [500, "gateway_error"], gemini: [500, "INTERNAL"] },
};

/** Answers with a refusal in the words of the protocol. Nothing when the answer has begun. */
export function refuse(response: ServerResponse, protocol: Protocol, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const [status] = formOf(protocol, refusal.kind);
  const body = Buffer.from(JSON.stringify(bodyOf(protocol, refusal)));
  const headers: Record<string, string | number> = {
    "content-type": "application/json",
    "content-length": body.length,
  };
  if (refusal.retryAfterSeconds !== undefined) headers["retry-after"] = refusal.retryAfterSeconds;
  response.writeHead(status, headers).end(body);
}

/** The last frame of a stream that was cut, in the form after which agents stop: none that ends it as if it were whole. */
export function lastFrame(protocol: Protocol, message: string, about: { id?: string; model: string }): Buffer {
  const refusal: Refusal = { kind: "budget", message };
  if (protocol === "messages") return frame("error", bodyOf(protocol, refusal));
  if (protocol !== "responses") return frame(undefined, bodyOf(protocol, refusal));
  // Of all codes only this one makes Codex stop and show our words.
  const error = { code: "invalid_prompt", message };
  const id = about.id ?? "resp_cut";
  const response = { id, object: "response", status: "failed", error, model: about.model, output: [], usage: null };
  return frame("response.failed", { type: "response.failed", response });
}

function bodyOf(protocol: Protocol, { kind, message }: Refusal): object {
  const [status, type] = formOf(protocol, kind);
  if (protocol === "messages") return { type: "error", error: { type, message } };
  if (protocol === "gemini") return { error: { code: status, message, status: type } };
  return { error: { message, type, code: type, param: null } };
}

function formOf(protocol: Protocol, kind: RefusalKind): [number, string] {
  return forms[kind][protocol === "messages" || protocol === "gemini" ? protocol : "openai"];
}

function frame(event: string | undefined, data: object): Buffer {
  return Buffer.from(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}
