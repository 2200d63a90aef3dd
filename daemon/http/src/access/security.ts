import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Failure } from "@muster/schema/wire";

export interface SecurityOptions {
  /** Host names that may be asked for, without ports. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** undefined: everybody who passes the two checks above is let in. */
  token?: string;
  /** Lets in to the metrics and to nothing else. */
  metricsToken?: string;
  /** Uses up a ticket; false when there is no such ticket. */
  redeemTicket(ticket: string): boolean;
  /** Whether it is a key the daemon has given to its page. */
  isPageKey(key: string): boolean;
}

/** Who asks: whoever has the token, the page with its key or somebody with a ticket, or nobody we know. */
export type Caller = "owner" | "page" | "stranger";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

export function allowedHosts(bound: string, further: readonly string[]): ReadonlySet<string> {
  const names = [...loopback, bound.includes(":") ? `[${bound}]` : bound, ...further];
  return new Set(names.map((name) => name.toLowerCase()));
}

/** A page of another site reaches a local port through DNS tricks, but it cannot choose the Host header. */
export function checkHost({ headers, rawHeaders }: IncomingMessage, { hosts }: Pick<SecurityOptions, "hosts">): void {
  const given = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (given !== 1) throw new Failure("invalid_request", `A request has one Host header, not ${given}`);
  const [, name, port = ""] = /^(.*?)(?::(\d*))?$/.exec(headers.host?.toLowerCase() ?? "") ?? [];
  if (Number(port) > 65_535) throw new Failure("invalid_request", `The Host header names no port: ${port}`);
  if (name !== undefined && hosts.has(name)) return;
  throw new Failure("forbidden_host", `The host ${name || "(none)"} is not allowed; see --allowed-host`);
}

/** Programs send no Origin; pages send one and must be listed, or be our own: Host has been checked before. */
export function checkOrigin({ headers }: IncomingMessage, { origins }: SecurityOptions): string | undefined {
  const { origin, host } = headers;
  if (origin === undefined || origins.has(origin)) return origin;
  if (origin === `http://${host?.toLowerCase()}`) return undefined;
  throw new Failure("forbidden_origin", `The origin ${origin} is not allowed; see --cors-origin`);
}

export function checkToken(
  { headers, method }: IncomingMessage,
  ticket: string | null,
  options: SecurityOptions,
): Caller {
  if (options.token === undefined) return "owner";
  const given = bearerOf(headers);
  if (given !== undefined && isSame(given, options.token)) return "owner";
  if (given !== undefined && options.isPageKey(given)) return "page";
  if (ticket !== null && method === "GET" && options.redeemTicket(ticket)) return "page";
  throw new Failure(
    "unauthorized",
    given === undefined ? "Send Authorization: Bearer <token>" : "The token is not valid",
  );
}

export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = bearerOf(headers);
  return given !== undefined && isSame(given, token);
}

function bearerOf({ authorization }: IncomingMessage["headers"]): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1]?.trim();
}

/** Hashes have one length, so the comparison takes the same time whatever was sent. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
