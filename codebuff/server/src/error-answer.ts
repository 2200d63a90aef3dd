import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isBusy } from "@muster/sql";
import { ProviderError } from "./completions/provider-error.ts";
import { errorFields } from "./log.ts";
import { databaseBusy, Refusal, refusalBody } from "./refusal.ts";
import type { Service } from "./service.ts";

/** A whole answer, before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As far as a request could be read. */
type Asked = Pick<IncomingMessage, "headers"> & Partial<Pick<IncomingMessage, "method" | "url">>;

/** What the sender of a request is told of what went wrong, and the log of what is our fault. */
export function errorAnswer(error: unknown, request: Asked, service: Service): Answer {
  if (error instanceof ProviderError) {
    const headers = { "content-type": "application/json", ...error.headers };
    return { status: error.status, headers, body: error.body };
  }
  if (error instanceof Refusal) {
    service.metrics.count("refusals", { status: error.status, code: error.code ?? "" });
    return refusalAnswer(error, request);
  }
  const about = { method: request.method, path: pathOf(request), ...errorFields(error) };
  if (isBusy(error)) {
    service.log("warn", "the database is busy", about);
    return refusalAnswer(databaseBusy(), request);
  }
  const id = randomUUID();
  service.log("error", "a request failed", { id, ...about });
  return refusalAnswer(new Refusal(500, `Something is broken here. Tell support this id: ${id}`), request);
}

export function refusalAnswer(refusal: Refusal, { headers }: Asked): Answer {
  return jsonAnswer(refusal.status, refusalBody(refusal, headers), refusal.headers);
}

export function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  const usual = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers: { ...usual, ...headers }, body: JSON.stringify(body) };
}

export function pathOf({ url = "/" }: Pick<IncomingMessage, "url">): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}
