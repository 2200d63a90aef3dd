import { once } from "node:events";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
let owner = "";
beforeEach(async () => {
  home = await DaemonHome.make({ args: [] });
  daemon = await home.start();
  owner = daemon.token ?? "";
  await ask(owner, "POST", "/sessions/own", { agent: "mock" });
});
afterEach(async () => {
  expect(daemon.stderr).not.toMatch(/unhandled|uncaught/i);
  await home.remove();
});

/** A stream that should not have been opened has no end. */
const answerMs = 10_000;

async function ask(token: string, method: string, target: string, body?: unknown) {
  const response = await fetch(`${daemon.api.baseUrl}${target}`, {
    method,
    headers: { ...(token !== "" && { authorization: `Bearer ${token}` }), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerMs),
  });
  const text = await response.text();
  const type = response.headers.get("content-type");
  const isJson = type?.includes("json") && text !== "";
  return { status: response.status, type, body: isJson ? JSON.parse(text) : text };
}

const make = async (body: object): Promise<{ token: string; tokenId: string }> =>
  (await ask(owner, "POST", "/tokens", body)).body;
const revoke = ({ tokenId }: { tokenId: string }) => ask(owner, "DELETE", `/tokens/${tokenId}`);
const ticketOf = async ({ token }: { token: string }, use = "request"): Promise<string> =>
  (await ask(token, "POST", "/tickets", { use })).body.ticket;
const tokensFile = () => join(home.dataDirectory, "access-tokens.json");

describe("a ticket goes with the token that made it", () => {
  const streams = ["/sessions/own/events/sse", "/events/sse", "/events/sse?sessions=own", "/ui/own/stream"];
  it.each([...streams, "/sessions", "/sessions/own", "/sessions/own/events"])("revoked: %s", async (target) => {
    const made = await make({ scope: "read" });
    const ticket = await ticketOf(made);
    expect((await revoke(made)).status).toBe(204);
    const answer = await ask("", "GET", `${target}${target.includes("?") ? "&" : "?"}ticket=${ticket}`);
    expect(answer).toMatchObject({ status: 401, type: "application/problem+json" });
  });

  it("too old", async () => {
    const made = await make({ scope: "read", expiresAt: new Date(Date.now() + 1_500).toISOString() });
    const ticket = await ticketOf(made);
    const watch = await fetch(`${daemon.api.baseUrl}/events/sse`, {
      headers: { authorization: `Bearer ${made.token}` },
    });
    await watch.text();
    expect((await ask(made.token, "GET", "/sessions")).status).toBe(401);
    expect((await ask("", "GET", `/events/sse?ticket=${ticket}`)).status).toBe(401);
  });

  it("a link to the page", async () => {
    const made = await make({ scope: "admin" });
    const ticket = await ticketOf(made, "page");
    await revoke(made);
    expect((await ask("", "POST", "/tickets/redeem", { ticket })).status).toBe(401);
  });

  it("one of each kind is good for nothing of the other, and each once", async () => {
    const [page, single] = [await ticketOf({ token: owner }, "page"), await ticketOf({ token: owner })];
    expect((await ask("", "GET", `/sessions?ticket=${page}`)).status).toBe(401);
    expect((await ask("", "POST", "/tickets/redeem", { ticket: single })).status).toBe(401);
    for (const method of ["POST", "DELETE", "PATCH", "HEAD", "PUT"]) {
      expect((await ask("", method, `/sessions/own?ticket=${single}`)).status).toBe(401);
    }
    const all = await Promise.all(Array.from({ length: 20 }, () => ask("", "GET", `/sessions?ticket=${single}`)));
    expect(all.filter(({ status }) => status === 200).length).toBe(1);
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => ask("", "POST", "/tickets/redeem", { ticket: page })),
    );
    expect(keys.filter(({ status }) => status === 200).length).toBe(1);
  });
});

it.each([
  ["POST", "/tokens", '{"scope":"admin"}'],
  ["POST", "/sessions/late", '{"agent":"mock"}'],
  ["POST", "/sessions/own/messages", '{"message":"echo late"}'],
  ["POST", "/sessions/own/messages/stream", '{"message":"echo late"}'],
  ["PATCH", "/sessions/own", '{"title":"late"}'],
  ["POST", "/tickets", "{}"],
])(
  "%s %s whose body comes after its token was revoked is refused and changes nothing",
  async (method, target, body) => {
    const made = await make({ scope: "admin" });
    const everything = async () => [
      (await ask(owner, "GET", "/sessions")).body,
      (await ask(owner, "GET", "/sessions/own/events")).body,
      (await ask(owner, "GET", "/tokens")).body,
    ];
    const { hostname, port } = new URL(daemon.api.baseUrl);
    const socket = connect(Number(port), hostname);
    const head = `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${made.token}\r\n`;
    const about = `content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(head + about);
    // The daemon has taken the head, and with it the token.
    expect(String((await once(socket, "data"))[0])).toContain("100 Continue");
    expect((await revoke(made)).status).toBe(204);
    const before = await everything();
    socket.write(body);
    expect(String((await once(socket, "data"))[0])).toContain("HTTP/1.1 401 ");
    socket.destroy();
    expect(await everything()).toEqual(before);
  },
);

it("tokens made and revoked all at once are those that were told, also after a restart", async () => {
  const made = await Promise.all(Array.from({ length: 60 }, (_, at) => make({ scope: "read", name: `${at}` })));
  const [ended, kept] = [made.slice(0, 30), made.slice(30)];
  const statuses = (await Promise.all([...ended, ...ended].map(revoke))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 204).length).toBe(30);
  expect(statuses.filter((status) => status === 404).length).toBe(30);
  const more = await Promise.all(Array.from({ length: 20 }, () => make({ scope: "read" })));
  await daemon.kill("SIGKILL");
  daemon = await home.start();
  for (const { token } of ended) expect((await ask(token, "GET", "/sessions")).status).toBe(401);
  for (const { token } of [...kept, ...more]) expect((await ask(token, "GET", "/sessions")).status).toBe(200);
  expect((await stat(tokensFile())).mode & 0o077).toBe(0);
});

it("a file that cannot be written: no token is made or revoked, and that is told", async () => {
  const made = await make({ scope: "read" });
  await rm(tokensFile());
  await mkdir(join(tokensFile(), "inside"), { recursive: true });
  const refused = await ask(owner, "POST", "/tokens", { scope: "read" });
  expect(refused.type).toBe("application/problem+json");
  expect(refused.status).toBeGreaterThanOrEqual(500);
  expect((await revoke(made)).status).toBeGreaterThanOrEqual(500);
  expect((await ask(made.token, "GET", "/sessions")).status).toBe(200);
  expect((await ask(owner, "GET", "/tokens")).body.tokens.length).toBe(1);
  await rm(tokensFile(), { recursive: true });
  expect((await revoke(made)).status).toBe(204);
  expect((await ask(made.token, "GET", "/sessions")).status).toBe(401);
});

it.each<[string, (token: Record<string, unknown>) => unknown]>([
  ["sessions: null", (token) => ({ ...token, sessions: null })],
  ['sessions: ""', (token) => ({ ...token, sessions: "" })],
  ["sessions: 0", (token) => ({ ...token, sessions: 0 })],
  ["sessions: {}", (token) => ({ ...token, sessions: {} })],
  ["sessions: a text", (token) => ({ ...token, sessions: "own" })],
  ["agents: null", (token) => ({ ...token, agents: null })],
  ["agents: false", (token) => ({ ...token, agents: false })],
  ["an end that is no time", (token) => ({ ...token, expiresAt: "soon" })],
  ["an end that is null", (token) => ({ ...token, expiresAt: null })],
  ["a scope that is none", (token) => ({ ...token, scope: "root" })],
  ["a scope of every object", (token) => ({ ...token, scope: "constructor" })],
  ["no hash", ({ hash: _, ...token }) => token],
  ["a short hash", (token) => ({ ...token, hash: "00" })],
  ["a list of hashes", (token) => ({ ...token, hash: [token.hash] })],
  ["no object", () => null],
  ["a text", () => "token"],
])("a damaged file lets nobody in: %s", async (_, damage) => {
  const made = await make({ scope: "read", sessions: ["nowhere"], agents: ["mock"] });
  await daemon.kill("SIGTERM");
  const file = JSON.parse(await readFile(tokensFile(), "utf8")) as { tokens: Record<string, unknown>[] };
  await writeFile(tokensFile(), JSON.stringify({ ...file, tokens: file.tokens.map(damage) }));
  daemon = await home.start();
  expect(await ask(made.token, "GET", "/sessions")).toMatchObject({ status: 401 });
  expect((await ask(owner, "GET", "/tokens")).body).toEqual({ tokens: [] });
  expect((await ask(owner, "POST", "/tokens", { scope: "read" })).status).toBe(201);
});
