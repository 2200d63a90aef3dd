import { isRecord, parseJson } from "@muster/core";
import { Failure, headerOf, problems } from "@muster/schema/wire";
import { isStream } from "../content.ts";
import type { ProblemCode } from "../generated/types.ts";
import type { RequestParts } from "./connection.ts";
import { ConnectionFailure, reasonOf, WrongCall } from "./connection-failure.ts";
import type { OperationRow } from "./operation-row.ts";

export interface TransportOptions {
  /** Where the daemon listens: `http://127.0.0.1:2468`. */
  endpoint: string;
  /** The daemon's token, or an access token; sent with every request. */
  token?: string | undefined;
  /**
   * For a page that must not know the token: gives a new ticket (`tickets.create`) for each request. With a ticket
   * everything can be read and followed, nothing changed.
   */
  ticket?: (() => string | PromiseLike<string>) | undefined;
  /** Another `fetch` than the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Sends one operation and resolves with its good answer. */
export type Send = (operation: OperationRow, parts: RequestParts) => Promise<Response>;

/** A problem document becomes a `Failure`, no connection a `ConnectionFailure`, an abort stays what the caller gave. */
export function createTransport({ endpoint, token, ticket, fetch = globalThis.fetch }: TransportOptions): Send {
  const base = baseOf(endpoint);
  return async (operation, parts) => {
    const path = pathOf(operation, parts.params ?? {});
    const { method, hasBody, takesBytes } = operation;
    const query = ticket === undefined || method !== "GET" ? parts.query : { ...parts.query, ticket: await ticket() };
    const init: RequestInit & { duplex?: "half" } = { method, headers: headersOf(operation, parts, token) };
    if (takesBytes) {
      init.body = parts.body as NonNullable<RequestInit["body"]>;
      // Streams are sent so or not at all, says fetch.
      if (isStream(parts.body)) init.duplex = "half";
    } else if (hasBody) init.body = JSON.stringify(parts.body ?? {});
    if (parts.signal !== undefined) init.signal = parts.signal;
    const response = await fetch(base + path + queryOf(query ?? {}), init).catch((error: unknown) => {
      parts.signal?.throwIfAborted();
      throw new ConnectionFailure(base, reasonOf(error), { cause: error });
    });
    if (response.ok || response.status === 304) return response;
    throw await failureOf(base, response);
  };
}

/** Checks the endpoint and drops what a path cannot be appended to. */
export function baseOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`The endpoint must be an http or https URL, not '${endpoint}'`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("The endpoint must have no user, query or fragment");
  }
  return url.href.replace(/\/+$/, "");
}

function pathOf({ path, madeParam }: OperationRow, params: Record<string, unknown>): string {
  const isMade = madeParam !== undefined && params[madeParam] === undefined;
  return (isMade ? path.replace(`/{${madeParam}}`, "") : path).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // A path of `.` or `..` would be resolved away by the URL and reach another operation.
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new WrongCall(`The path parameter ${name} must be a non-empty name`);
    }
    return encodeURIComponent(value);
  });
}

function queryOf(query: Record<string, unknown>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
}

function headersOf(
  { answer, hasBody, takesBytes, headers: own = [] }: OperationRow,
  parts: RequestParts,
  token: string | undefined,
): Headers {
  const headers = new Headers({ accept: accepted[answer] });
  if (hasBody) headers.set("content-type", "application/json");
  if (takesBytes) headers.set("content-type", "application/octet-stream");
  for (const name of own) {
    const value = parts.headers?.[name];
    if (value !== undefined) headers.set(headerOf(name), String(value));
  }
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (parts.lastEventId !== undefined) headers.set("last-event-id", parts.lastEventId);
  return headers;
}

const accepted = {
  json: "application/json",
  text: "text/plain, */*",
  sse: "text/event-stream",
  ui: "text/event-stream",
  bytes: "application/octet-stream, application/json",
  empty: "application/json",
} as const satisfies Record<OperationRow["answer"], string>;

async function failureOf(base: string, response: Response): Promise<Error> {
  // A body that breaks off holds no problem document.
  const text = await response.text().catch(() => "");
  const problem = parseJson(text);
  if (!isRecord(problem) || typeof problem.code !== "string" || typeof problem.detail !== "string") {
    return new ConnectionFailure(base, `it answered ${response.status} without a problem document`);
  }
  const { code, status: _, detail, type, title, ...fields } = problem;
  // A newer daemon may know more problems: its code, type and title then travel as fields.
  return Object.hasOwn(problems, code as string)
    ? new Failure(code as ProblemCode, detail as string, { ...fields, status: response.status })
    : new Failure("internal", detail as string, { ...fields, code, type, title, status: response.status });
}
