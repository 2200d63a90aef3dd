import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { countHit } from "../admission/rate.ts";
import type { Tables } from "../database/tables.ts";
import { clientAddress } from "../http/client-address.ts";
import { readRequest } from "../http/request-body.ts";
import { createSession, findUserBySecret } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import { hashSecret } from "../secrets.ts";
import type { Service } from "../service.ts";
import { confirmPage, messagePage, pageStyle, signInPage } from "./page.ts";
import { checkForm, csrfToken, readWebSession, setCookie } from "./web-session.ts";

type App = Hono<{ Bindings: HttpBindings }>;
type Login = Tables["cli_login"];

const webSessionMs = 12 * 60 * 60 * 1000;
const mostSignInsPerMinute = 10;

/** The pages a person sees while signing in a terminal. Only a form changes anything; opening a page never does. */
export function loginPages(app: App, service: Service): void {
  app.get("/login", (c) => pages(() => show(c.env.incoming as IncomingMessage, c.req.query("id") ?? "", service)));
  app.post("/login/session", (c) => pages(() => signIn(c.env.incoming as IncomingMessage, service)));
  app.post("/login/decision", (c) => pages(() => decide(c.env.incoming as IncomingMessage, service)));
}

async function show(request: IncomingMessage, id: string, service: Service): Promise<Response> {
  const session = await readWebSession(request, service);
  const login = await openLogin(id, service);
  const form = { id, csrf: await csrfToken(session.cookie, service) };
  const cookie = session.isNew ? setCookie(request, service.config, session.cookie) : undefined;
  if (!session.user) return html(200, signInPage(form), cookie);
  return html(200, confirmPage(form, login, { email: session.user.email, now: service.now() }), cookie);
}

/** The cookie changes with the sign-in, so a value planted before it is worth nothing after. */
async function signIn(request: IncomingMessage, service: Service): Promise<Response> {
  const session = await readWebSession(request, service);
  const form = await readForm(request, service);
  await checkForm(request, form, session, service);
  const id = form.get("id") ?? "";
  await openLogin(id, service);
  const address = clientAddress(request, service.config);
  const { hits } = await countHit(service, `sign-in:${address}`, 60_000);
  if (hits > mostSignInsPerMinute) throw new Refusal(429, "Too many attempts. Wait a minute.");
  const at = service.now();
  const user = await findUserBySecret(service.database, (form.get("key") ?? "").trim(), at);
  if (!user) {
    const csrf = await csrfToken(session.cookie, service);
    return html(401, signInPage({ id, csrf }, "That API key is not valid."));
  }
  const { secret } = await createSession(service.database.db, {
    userId: user.id,
    kind: "web",
    name: "browser",
    fingerprintId: user.sessionId,
    expiresAt: at + webSessionMs,
    at,
  });
  return new Response(null, {
    status: 303,
    headers: {
      ...securityHeaders,
      location: `/login?id=${encodeURIComponent(id)}`,
      "set-cookie": setCookie(request, service.config, secret),
    },
  });
}

async function decide(request: IncomingMessage, service: Service): Promise<Response> {
  const session = await readWebSession(request, service);
  const form = await readForm(request, service);
  await checkForm(request, form, session, service);
  if (!session.user) throw new Refusal(401, "Your sign-in has expired. Open the link again.");
  if (session.user.banned === 1) throw new Refusal(403, "This account is suspended.");
  const login = await openLogin(form.get("id") ?? "", service);
  const decision = form.get("decision");
  if (decision !== "approve" && decision !== "deny") throw new Refusal(400, "Approve or deny");
  const state = decision === "approve" ? "approved" : "denied";
  const { numUpdatedRows } = await service.database.db
    .updateTable("cli_login")
    .set({ state, user_id: state === "approved" ? session.user.id : null })
    .where("id", "=", login.id)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw alreadyAnswered();
  if (state === "denied") return html(200, messagePage("Denied", "The terminal was not signed in."));
  return html(200, messagePage("Signed in", "Go back to your terminal. You can close this page."));
}

/** A login that still waits for an answer. */
async function openLogin(id: string, service: Service): Promise<Login> {
  const login = await service.database.db
    .selectFrom("cli_login")
    .selectAll()
    .where("id", "=", hashSecret(id))
    .executeTakeFirst();
  if (!login) throw new Refusal(404, "This link is not valid. Start again in your terminal.");
  if (login.expires_at <= service.now()) throw new Refusal(410, "This link has expired. Start again in your terminal.");
  if (login.state !== "waiting") throw alreadyAnswered();
  return login;
}

function alreadyAnswered(): Refusal {
  return new Refusal(409, "This sign-in has been answered already. Start again in your terminal.");
}

async function readForm(request: IncomingMessage, service: Service): Promise<URLSearchParams> {
  const body = await readRequest(request, service.times.bodyMs);
  if (body.length > 16_384) throw new Refusal(413, "The form is too long");
  return new URLSearchParams(body.toString("utf8"));
}

/** Refusals of these pages are read by people in a browser. */
async function pages(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return html(error.status, messagePage("That did not work", error.message));
    throw error;
  }
}

const styleHash = createHash("sha256").update(pageStyle).digest("base64");
const securityHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function html(status: number, body: string, cookie?: string): Response {
  const headers = new Headers({ ...securityHeaders, "content-type": "text/html; charset=utf-8" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return new Response(body, { status, headers });
}
