import { spawn } from "node:child_process";
import { hostname } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { deleteCredential, findCredential, findWays, saveCredential } from "@muster/codebuff-sdk";
import { z } from "zod";
import { CommandError, exitCodes, UsageError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { readUrl } from "../run-options.ts";

const BeginAnswer = z.looseObject({
  fingerprintHash: z.string(),
  loginUrl: z.string(),
  userCode: z.string().optional(),
  expiresAt: z.number(),
});
const PollAnswer = z.looseObject({ user: z.looseObject({ authToken: z.string(), email: z.string().nullish() }) });
const Me = z.looseObject({ id: z.string(), email: z.string().nullish() });
const Refused = z.looseObject({ error: z.string().optional(), message: z.string().optional() });

export interface LoginOptions {
  readonly baseUrl?: string;
  readonly browser: boolean;
  /** A key that was made before; `-` reads it from standard input. */
  readonly key?: string;
}

/** Shows an address and a code, waits until the person has approved there, and keeps the token in `auth.json` with its server. */
export async function login(options: LoginOptions, io: Io): Promise<number> {
  const given = options.baseUrl === undefined ? undefined : readUrl("--base-url", options.baseUrl);
  const { baseUrl } = await findWays({ baseUrl: given, env: io.env, home: io.home });
  if (options.key !== undefined) return loginByKey(options.key, baseUrl, io);
  const fingerprintId = `codebuff on ${hostname()}`.slice(0, 128);
  const begun = await ask(baseUrl, "/api/auth/cli/code", io, { body: { fingerprintId, showsCode: true } });
  if (begun.status !== 200) throw new CommandError(`${baseUrl} does not begin a login: ${reasonOf(begun)}`);
  const answer = BeginAnswer.safeParse(begun.body);
  if (!answer.success) throw new CommandError(`${baseUrl} is not a Codebuff server`);
  const { loginUrl, userCode, expiresAt, fingerprintHash } = answer.data;
  io.stderr.write(`Open ${loginUrl}\n`);
  if (userCode !== undefined) io.stderr.write(`and approve the code ${userCode}. Waiting …\n`);
  if (options.browser && io.stdout.isTTY) openBrowser(loginUrl);
  const query = new URLSearchParams({ fingerprintId, fingerprintHash, expiresAt: String(expiresAt) });
  const { authToken, email } = await waitForApproval(`/api/auth/cli/status?${query}`, { baseUrl, expiresAt }, io);
  return keepLogin({ apiKey: authToken, email, baseUrl }, io);
}

/** Kept only when the server knows it. */
async function loginByKey(given: string, baseUrl: string, io: Io): Promise<number> {
  const apiKey = (given === "-" ? await text(io.stdin) : given).trim();
  if (apiKey === "") throw new UsageError("the key is empty");
  const known = await ask(baseUrl, "/api/v1/me?fields=id,email", io, { apiKey });
  if (known.status === 401 || known.status === 403)
    throw new CommandError(`${baseUrl} does not know this key: ${reasonOf(known)}`, {
      exitCode: exitCodes.credentials,
    });
  const me = Me.safeParse(known.body);
  if (known.status !== 200 || !me.success) throw new CommandError(`${baseUrl} is not a Codebuff server`);
  return keepLogin({ apiKey, email: me.data.email, baseUrl }, io);
}

async function keepLogin(
  { apiKey, email, baseUrl }: { apiKey: string; email?: string | null; baseUrl: string },
  io: Io,
): Promise<number> {
  const path = await saveCredential(apiKey, { home: io.home, baseUrl });
  io.stdout.write(`Logged in at ${baseUrl}${email ? ` as ${email}` : ""}. The login is in ${path}\n`);
  const { credential, loginElsewhere, baseUrl: used } = await findWays({ env: io.env, home: io.home });
  if (loginElsewhere !== undefined)
    io.stderr.write(`It is not used as long as CODEBUFF_BASE_URL or config.json names ${used}.\n`);
  else if (credential?.source !== path) io.stderr.write(`The key in ${credential?.source} is used before it.\n`);
  return exitCodes.ok;
}

/** Ends the login at the server too; a server that cannot be reached does not keep the person logged in here. */
export async function logout(io: Io): Promise<number> {
  const { baseUrl: used, credential: found, loginElsewhere } = await findWays({ env: io.env, home: io.home });
  const credential = loginElsewhere ?? found;
  const baseUrl = credential?.baseUrl ?? used;
  const isOurs = credential?.source.endsWith("auth.json") === true;
  if (isOurs) {
    const body = { authToken: credential.apiKey };
    const ended = await ask(baseUrl, "/api/auth/cli/logout", io, { body }).catch(() => undefined);
    if (ended?.status !== 200) io.stderr.write(`The server at ${baseUrl} was not told: it could not be reached.\n`);
  }
  const deleted = await deleteCredential({ home: io.home });
  io.stdout.write(deleted ? "Logged out.\n" : "You were not logged in.\n");
  const rest = await findCredential({ env: io.env, home: io.home });
  if (rest !== undefined) io.stderr.write(`There is still a key in ${rest.source}.\n`);
  return exitCodes.ok;
}

async function waitForApproval(path: string, { baseUrl, expiresAt }: { baseUrl: string; expiresAt: number }, io: Io) {
  for (;;) {
    const { status, body } = await ask(baseUrl, path, io);
    const done = PollAnswer.safeParse(body);
    if (status === 200 && done.success) return done.data.user;
    const { error } = Refused.safeParse(body).data ?? {};
    if (error === "denied") throw new CommandError("The login was denied.", { exitCode: exitCodes.credentials });
    if (Date.now() >= expiresAt)
      throw new CommandError("Nobody approved the login in time.", { exitCode: exitCodes.credentials });
    if (status !== 401 && status !== 429) throw new CommandError(`The login failed: ${reasonOf({ status, body })}`);
    await pause(io);
  }
}

async function pause(io: Io): Promise<void> {
  await setTimeout(2_000, undefined, { signal: io.interrupted }).catch(() => {
    throw new CommandError("Interrupted.", { exitCode: exitCodes.interrupted });
  });
}

async function ask(
  baseUrl: string,
  path: string,
  io: Io,
  { body, apiKey }: { body?: object; apiKey?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const headers = new Headers({ "content-type": "application/json" });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  try {
    const response = await fetch(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([io.interrupted, AbortSignal.timeout(30_000)]),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    // Whatever the network said, the person can only look at the address.
    if (io.interrupted.aborted) throw new CommandError("Interrupted.", { exitCode: exitCodes.interrupted });
    throw new CommandError(`Cannot reach a Codebuff server at ${baseUrl}. Name yours with --base-url.`);
  }
}

function reasonOf({ status, body }: { status: number; body: unknown }): string {
  const { message, error } = Refused.safeParse(body).data ?? {};
  return message ?? error ?? `status ${status}`;
}

/** Nice to have: the address stands on the screen whatever comes of it. */
function openBrowser(url: string): void {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(command, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
