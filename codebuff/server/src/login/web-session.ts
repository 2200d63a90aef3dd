import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { findUserBySecret, type KnownUser } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import { newSecret, sameSecret } from "../secrets.ts";
import type { Service } from "../service.ts";
import { isLoopbackOrigin, isSecure, ownOrigin } from "./origin.ts";

/** A browser is known by one cookie; before sign-in it is a random value that only binds the form to the browser. */
export interface WebSession {
  readonly cookie: string;
  readonly user: KnownUser | undefined;
  /** Set for a browser that brought none. */
  readonly isNew: boolean;
}

export async function readWebSession(request: IncomingMessage, service: Service): Promise<WebSession> {
  const name = cookieName(request, service.config);
  const cookie = cookieOf(request.headers.cookie, name);
  if (cookie === undefined) return { cookie: newSecret(), user: undefined, isNew: true };
  const user = await findUserBySecret(service.database, cookie, service.now(), "web");
  return { cookie, user, isNew: false };
}

/** `__Host-` keeps subdomains and plain HTTP from setting it; only plain HTTP on this machine goes without. */
export function setCookie(request: IncomingMessage, config: Config, value: string): string {
  const base = `${cookieName(request, config)}=${value}; Path=/; HttpOnly; SameSite=Lax`;
  return isSecure(ownOrigin(request, config)) ? `${base}; Secure` : base;
}

/** The token is bound to the browser's cookie; the key of the binding is a row, so all instances know it. */
export async function csrfToken(cookie: string, service: Service): Promise<string> {
  return createHmac("sha256", await csrfSecret(service))
    .update(cookie)
    .digest("base64url");
}

/** A form counts only when it comes from our own page in the same browser. */
export async function checkForm(
  request: IncomingMessage,
  form: URLSearchParams,
  session: WebSession,
  service: Service,
): Promise<void> {
  if (!comesFromOwnPage(request, service.config)) throw new Refusal(403, "The form comes from another site");
  const isBound = !session.isNew && sameSecret(form.get("csrf") ?? "", await csrfToken(session.cookie, service));
  if (!isBound) throw new Refusal(403, "The form is not from this browser; load the page again");
}

/** Our pages send no referrer, so browsers say `null` for their origin too; then only the browser's own word counts. */
function comesFromOwnPage(request: IncomingMessage, config: Config): boolean {
  const { origin, "sec-fetch-site": site } = request.headers;
  return origin === "null" ? site === "same-origin" : origin === ownOrigin(request, config);
}

async function csrfSecret({ database: { db } }: Service): Promise<string> {
  const name = "csrf";
  const find = () => db.selectFrom("secret").select("value").where("name", "=", name).executeTakeFirst();
  const known = await find();
  if (known) return known.value;
  await db
    .insertInto("secret")
    .values({ name, value: newSecret() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return (await find())?.value ?? "";
}

function cookieName(request: IncomingMessage, config: Config): string {
  const origin = ownOrigin(request, config);
  if (isSecure(origin)) return "__Host-codebuff";
  if (isLoopbackOrigin(origin)) return "codebuff";
  throw new Refusal(403, "Signing in needs HTTPS");
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
