import { randomBytes } from "node:crypto";
import { Failure } from "@muster/schema/wire";
import type { AccessTokens } from "./access-tokens.ts";
import { checkScope, everything, type Grant, isLimited } from "./grant.ts";

/** What a ticket is good for, and how long. One for a request gives no key: it has been part of an address. */
const lifetimes = { request: 30_000, page: 600_000 } as const;
type Use = keyof typeof lifetimes;

/** More open tickets of one token than this are an attack or a mistake; its oldest goes, and nobody else's. */
const mostOfOneToken = 1_000;

/** Tickets for browsers: each lets in once, to one request or to the page of the daemon. */
export class Tickets {
  readonly #open = new Map<string, { use: Use; expires: number; grant: Grant }>();
  /** Open tickets by the token that made them, oldest first. */
  readonly #byMaker = new Map<string, Set<string>>();
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
    this.#note(ticket, makerOf(grant));
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
    this.#drop(ticket);
    const { tokenId } = found.grant;
    const isOfNobody = tokenId !== undefined && !this.#tokens.isLive(tokenId);
    return found.expires > Date.now() && !isOfNobody ? found.grant : undefined;
  }

  #note(ticket: string, maker: string): void {
    const own = this.#byMaker.get(maker) ?? new Set();
    this.#byMaker.set(maker, own.add(ticket));
    for (const older of own) {
      const isOver = (this.#open.get(older)?.expires ?? 0) <= Date.now();
      if (!isOver && own.size <= mostOfOneToken) return;
      this.#drop(older);
    }
  }

  #drop(ticket: string): void {
    const maker = makerOf(this.#open.get(ticket)?.grant ?? everything);
    this.#open.delete(ticket);
    const own = this.#byMaker.get(maker);
    own?.delete(ticket);
    if (own?.size === 0) this.#byMaker.delete(maker);
  }
}

/** The daemon's own token has no id. */
function makerOf({ tokenId = "" }: Grant): string {
  return tokenId;
}
