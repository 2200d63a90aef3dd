import { randomBytes } from "node:crypto";
import { Failure } from "@muster/schema/wire";
import type { AccessTokens } from "./access-tokens.ts";
import { checkScope, everything, type Grant, isLimited } from "./grant.ts";

/** What a ticket is good for, and how long. One for a request gives no key: it has been part of an address. */
const lifetimes = { request: 30_000, page: 600_000 } as const;
type Use = keyof typeof lifetimes;

/** More open tickets than this are an attack or a mistake; the oldest goes. */
const mostTickets = 10_000;

/** Tickets for browsers: each lets in once, to one request or to the page of the daemon. */
export class Tickets {
  readonly #open = new Map<string, { use: Use; expires: number; grant: Grant }>();
  readonly #tokens: AccessTokens;

  constructor(tokens: AccessTokens) {
    this.#tokens = tokens;
  }

  /** A ticket for a request lets in to what its maker may do; a link to the page makes an access token, as admins may. */
  create(use: Use = "request", grant: Grant = everything): { ticket: string; expiresAt: string } {
    if (use === "page") {
      checkScope(grant, "admin");
      if (isLimited(grant)) throw new Failure("token_limited", "The page shows every session, and this token some");
    }
    const ticket = randomBytes(24).toString("base64url");
    const expires = Date.now() + lifetimes[use];
    this.#open.set(ticket, { use, expires, grant });
    if (this.#open.size > mostTickets) this.#dropOldest();
    return { ticket, expiresAt: new Date(expires).toISOString() };
  }

  /** Uses up a ticket for one request; undefined when there is none. */
  redeem(ticket: string): Grant | undefined {
    return this.#take(ticket, "request");
  }

  /** Uses up the ticket of a page. */
  async keyFor(ticket: string): Promise<{ key: string; expiresAt: string }> {
    if (this.#take(ticket, "page") !== undefined) {
      const { token: key, expiresAt = "" } = await this.#tokens.createForPage();
      return { key, expiresAt };
    }
    throw new Failure("unauthorized", "The ticket has been used, is too old, or is none of this daemon");
  }

  #take(ticket: string, use: Use): Grant | undefined {
    const found = this.#open.get(ticket);
    if (found?.use !== use) return undefined;
    this.#open.delete(ticket);
    const { tokenId } = found.grant;
    const isOfNobody = tokenId !== undefined && !this.#tokens.isLive(tokenId);
    return found.expires > Date.now() && !isOfNobody ? found.grant : undefined;
  }

  #dropOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
  }
}
