import type { IncomingMessage } from "node:http";
import { Failure } from "@muster/schema/wire";
import { everything, type Grant } from "./grant.ts";

export interface SecurityOptions {
  /** Host names that may be asked for, without ports. */
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** Everybody who passes the two checks above is let in to everything. */
  needsNoToken: boolean;
  /** What a bearer token lets in to; undefined for one that is not known. */
  grantOf(token: string): Grant | undefined;
  /** Uses up a ticket; undefined when there is no such ticket. */
  redeemTicket(ticket: string): Grant | undefined;
}

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

/** What whoever asks may do. Throws for somebody who shows nothing that is known. */
export function grantOf({ headers, method }: IncomingMessage, ticket: string | null, options: SecurityOptions): Grant {
  if (options.needsNoToken) return everything;
  const given = bearerOf(headers);
  const grant = given === undefined ? undefined : options.grantOf(given);
  if (grant !== undefined) return grant;
  const byTicket = ticket !== null && method === "GET" ? options.redeemTicket(ticket) : undefined;
  if (byTicket !== undefined) return byTicket;
  throw new Failure(
    "unauthorized",
    given === undefined ? "Send Authorization: Bearer <token>" : "The token is not valid",
  );
}

function bearerOf({ authorization }: IncomingMessage["headers"]): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1]?.trim();
}
