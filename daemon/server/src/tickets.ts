import { randomBytes } from "node:crypto";

const lifetimeMs = 30_000;
/** More open tickets than this are an attack or a mistake; the oldest goes. */
const mostTickets = 10_000;

/** Keys for one request each, for browsers that cannot send a header. */
export class Tickets {
  readonly #open = new Map<string, number>();

  create(): { ticket: string; expiresAt: string } {
    const ticket = randomBytes(24).toString("base64url");
    const expires = Date.now() + lifetimeMs;
    this.#open.set(ticket, expires);
    if (this.#open.size > mostTickets) this.#dropOldest();
    return { ticket, expiresAt: new Date(expires).toISOString() };
  }

  redeem(ticket: string): boolean {
    const expires = this.#open.get(ticket);
    this.#open.delete(ticket);
    return expires !== undefined && expires > Date.now();
  }

  #dropOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
  }
}
