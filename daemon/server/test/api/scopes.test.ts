import type { Problem } from "@muster/schema";
import { covers, type OperationId, operationIds, operations, type Scope, scopes } from "@muster/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

/** Every operation × every scope × its own session, another one, and one that does not exist. */
let home: DaemonHome;
let daemon: DaemonProcess;
let owner = "";
beforeAll(async () => {
  home = await DaemonHome.make({ args: [] });
  daemon = await home.start();
  owner = daemon.token ?? "";
  for (const sessionId of ["own", "foreign"]) await make(sessionId);
});
afterAll(() => home.remove());

const agents = new Set(["agents.get", "agents.install", "agents.uninstall", "agents.listModels", "agents.listModes"]);
const bodies: Partial<Record<OperationId, (sessionId: string) => unknown>> = {
  "sessions.rewind": () => ({ to: 0 }),
  "sessions.handOver": () => ({ agent: "mock" }),
  "sessions.create": () => ({ agent: "mock" }),
  "sessions.sendMessage": () => ({ message: "echo hello" }),
  "sessions.streamMessage": () => ({ message: "echo hello" }),
  "sessions.update": () => ({ title: "another" }),
  "sessions.replyQuestion": () => ({ answers: [["Red"]] }),
  "sessions.replyPermission": () => ({ reply: "once" }),
  "ui.send": (id) => ({ id, messages: [{ role: "user", parts: [{ type: "text", text: "echo hello" }] }] }),
  "files.makeDirectory": (session) => ({ session, path: "made", parents: true }),
  "files.move": (session) => ({ session, from: "nothing", to: "other" }),
  "files.copy": (session) => ({ session, from: "nothing", to: "other" }),
  "tickets.redeem": () => ({ ticket: "none" }),
  "tokens.create": () => ({ scope: "read" }),
};
const queries: Partial<Record<OperationId, (sessionId: string) => string>> = {
  "events.stream": (sessionId) => `?sessions=${sessionId}`,
  "files.search": (sessionId) => `?session=${sessionId}&query=nothing`,
  ...Object.fromEntries(
    (["list", "stat", "read", "write", "append", "delete", "download", "upload", "watch"] as const).map((name) => [
      `files.${name}`,
      (sessionId: string) => `?session=${sessionId}&path=no-such-file`,
    ]),
  ),
};
const namesSession = operationIds.filter(
  (id) =>
    "sessionId" in operations[id].params.shape || id === "ui.send" || id === "events.stream" || id.startsWith("files."),
);

interface Answered {
  readonly status: number;
  readonly body: Partial<Problem>;
}

async function ask(id: OperationId, token: string, sessionId: string): Promise<Answered> {
  const { method, path, answer } = operations[id];
  const names = { sessionId, agent: "mock", messageId: "m0", questionId: "q0", permissionId: "p0", tokenId: "t0" };
  const url =
    path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name]) + (queries[id]?.(sessionId) ?? "");
  const stopped = new AbortController();
  const response = await fetch(`${daemon.api.baseUrl}${url}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(bodies[id]?.(sessionId) ?? {}) }),
    signal: stopped.signal,
  });
  const isStream = response.ok && (answer === "sse" || answer === "ui");
  const text = isStream ? "" : await response.text();
  stopped.abort();
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
  return { status: response.status, body: isProblem ? (JSON.parse(text) as Problem) : {} };
}

async function make(sessionId: string): Promise<void> {
  const response = await fetch(`${daemon.api.baseUrl}/sessions/${sessionId}?reuse=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
    body: JSON.stringify({ agent: "mock", directory: home.path }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function tokenOf(body: Record<string, unknown>): Promise<{ token: string; tokenId: string }> {
  const response = await fetch(`${daemon.api.baseUrl}/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { token: string; tokenId: string };
}

const isRefused = ({ status }: Answered) => status === 401 || status === 403;

describe.each(scopes)("a token with the scope %s", (scope) => {
  it.each(operationIds)("%s", async (id) => {
    const needed: Scope | "public" = operations[id].scope;
    const isEnough = needed === "public" || covers(scope, needed);
    const { wholeDaemon = false } = operations[id] as { wholeDaemon?: boolean };

    const { token } = await tokenOf({ scope });
    const unlimited = await ask(id, token, "own");
    if (needed === "public") expect(unlimited.body.code).not.toBe("scope_required");
    else if (isEnough) expect(isRefused(unlimited), JSON.stringify(unlimited)).toBe(false);
    else expect(unlimited).toMatchObject({ status: 403, body: { code: "scope_required", scope: needed } });
    if (id === "sessions.delete" && isEnough) await make("own");

    for (const limit of [{ sessions: ["own"] }, { agents: ["mock"] }]) {
      const limited = await ask(id, (await tokenOf({ scope, ...limit })).token, "own");
      if (!isEnough) expect(limited).toMatchObject({ status: 403, body: { code: "scope_required" } });
      else if (wholeDaemon) expect(limited).toMatchObject({ status: 403, body: { code: "token_limited" } });
      else if (needed !== "public") expect(isRefused(limited), JSON.stringify(limited)).toBe(false);
      if (id === "sessions.delete" && isEnough) await make("own");
    }
    if (!isEnough) return;

    // Another session is told exactly as one that does not exist.
    for (const limit of [{ sessions: ["own"] }, { agents: ["claude"] }]) {
      const { token: narrow } = await tokenOf({ scope, ...limit });
      if (namesSession.includes(id)) {
        const [there, nowhere] = [await ask(id, narrow, "foreign"), await ask(id, narrow, "nowhere")];
        expect(there.status).toBe(id === "sessions.create" ? 403 : 404);
        expect(JSON.stringify(there).replaceAll("foreign", "nowhere")).toBe(JSON.stringify(nowhere));
      } else if (agents.has(id) && "agents" in limit && id !== "agents.get") {
        expect(await ask(id, narrow, "own")).toMatchObject({ status: 403, body: { code: "token_limited" } });
      }
    }
  });
});

it("lists and watches show the sessions of a token and no other", async () => {
  await make("foreign");
  const { token } = await tokenOf({ scope: "work", sessions: ["own"] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const get = async (path: string) => (await fetch(`${daemon.api.baseUrl}${path}`, { headers })).json();
  expect(await get("/sessions")).toMatchObject({ sessions: [{ sessionId: "own" }], hasMore: false });
  expect(await get("/sessions?after=foreign")).toMatchObject({ code: "invalid_request", after: "foreign" });

  const watch = await fetch(`${daemon.api.baseUrl}/events/sse`, { headers });
  const say = (sessionId: string, as: string) =>
    fetch(`${daemon.api.baseUrl}/sessions/${sessionId}/messages/stream`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${as}` },
      body: JSON.stringify({ message: `echo ${sessionId}` }),
    }).then((response) => response.text());
  await say("foreign", owner);
  await say("own", token);
  const reader = watch.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("turn.ended")) seen += (await reader?.read())?.value ?? "turn.ended";
  await reader?.cancel();
  expect(seen).toContain('"sessionId":"own"');
  expect(seen).not.toContain("foreign");
});

it("a token that is revoked ends its streams, and its tickets ask for nothing more than it may", async () => {
  const { token, tokenId } = await tokenOf({ scope: "read", sessions: ["own"] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ticket = await fetch(`${daemon.api.baseUrl}/tickets`, { method: "POST", headers, body: "{}" });
  const { ticket: once } = (await ticket.json()) as { ticket: string };
  expect((await fetch(`${daemon.api.baseUrl}/sessions/foreign?ticket=${once}`)).status).toBe(404);

  const stream = await fetch(`${daemon.api.baseUrl}/sessions/own/events/sse`, { headers });
  const ended = stream.text();
  const revoked = await fetch(`${daemon.api.baseUrl}/tokens/${tokenId}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${owner}` },
  });
  expect(revoked.status).toBe(204);
  expect(await ended).toContain("session.started");
  const refused = await fetch(`${daemon.api.baseUrl}/sessions/own`, { headers });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
});
