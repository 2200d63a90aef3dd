import { randomBytes } from "node:crypto";
import { Failure } from "@muster/schema/wire";
import type { PageKey, PageKeys } from "./page-keys.ts";
import type { Caller } from "./security.ts";

/** What a ticket is good for, and how long. One for a request cannot become a key: it has been part of an address. */
const lifetimes = { request: 30_000, page: 600_000 } as const;
type Use = keyof typeof lifetimes;

/** More open tickets than this are an attack or a mistake; the oldest goes. */
const mostTickets = 10_000;

/** Tickets for browsers: each lets in once, to one request or to the page of the daemon. */
export class Tickets {
  readonly #open = new Map<string, { use: Use; expires: number }>();
  readonly #keys: PageKeys;

  constructor(keys: PageKeys) {
    this.#keys = keys;
  }

  /** A key that could make links would renew itself for ever: only the token makes them. */
  create(use: Use = "request", caller: Caller = "owner"): { ticket: string; expiresAt: string } {
    if (use === "page" && caller !== "owner") {
      throw new Failure(
        "unauthorized",
        "A link to the page is made with the daemon's token, not with the key of a page",
      );
    }
    const ticket = randomBytes(24).toString("base64url");
    const expires = Date.now() + lifetimes[use];
    this.#open.set(ticket, { use, expires });
    if (this.#open.size > mostTickets) this.#dropOldest();
    return { ticket, expiresAt: new Date(expires).toISOString() };
  }

  /** Uses up a ticket for one request; false when there is none. */
  redeem(ticket: string): boolean {
    return this.#take(ticket, "request");
  }

  /** Uses up the ticket of a page. */
  keyFor(ticket: string): PageKey {
    if (this.#take(ticket, "page")) return this.#keys.create();
    throw new Failure("unauthorized", "The ticket has been used, is too old, or is none of this daemon");
  }

  #take(ticket: string, use: Use): boolean {
    const found = this.#open.get(ticket);
    if (found?.use !== use) return false;
    this.#open.delete(ticket);
    return found.expires > Date.now();
  }

  #dropOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
  }
}
