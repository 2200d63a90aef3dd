import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import {
  AccessTokens,
  allowedHosts,
  createApp,
  createHttpServer,
  everything,
  FrameStream,
  type Grant,
  type OperationRow,
  OperationTable,
  PushedFrames,
  Tickets,
  WithStatus,
} from "../src/index.ts";

type Id = "health" | "things.make" | "things.watch";

const rows: Record<Id, OperationRow> = {
  health: { method: "GET", path: "/health", hasInput: false, answer: "json", status: 200, scope: "public" },
  "things.make": {
    method: "POST",
    path: "/things/{thing}",
    hasInput: true,
    answer: "json",
    status: 201,
    scope: "work",
  },
  "things.watch": { method: "GET", path: "/things/sse", hasInput: false, answer: "sse", status: 200, scope: "read" },
};
const thing = { params: z.object({ thing: z.string() }), body: z.object({ size: z.int().optional() }) };
const table = new OperationTable<Id>(rows, async (id) => (id === "things.make" ? thing : { params: z.object({}) }));

const told: string[] = [];
const streams: number[] = [];
let isClosing = false;
let server: Server;
let url: string;
let folder: string;
let tokens: AccessTokens;

beforeEach(async () => {
  told.length = 0;
  streams.length = 0;
  isClosing = false;
  folder = await mkdtemp(join(tmpdir(), "muster-http-"));
  tokens = await AccessTokens.open({
    path: join(folder, "access-tokens.json"),
    given: [["a token of this test", everything]],
    log: () => {},
  });
  const tickets = new Tickets(tokens);
  const security = {
    hosts: allowedHosts("127.0.0.1", []),
    origins: new Set<string>(),
    needsNoToken: false,
    grantOf: (token: string) => tokens.grantOf(token),
    redeemTicket: (ticket: string) => tickets.redeem(ticket),
  };
  const app = createApp<Id>({
    table,
    security,
    run: ({ id, input, grant }) => (id === "things.watch" ? watch() : answer(id, input, grant)),
    page: (_, path) =>
      path === "/page" ? Promise.resolve({ status: 200, type: "text/html", content: "<p>a page</p>" }) : undefined,
    log: (_, message, fields) => told.push(`${message}: ${fields?.errorId}`),
    isClosing: () => isClosing,
    onTrusted: () => {},
    onStreams: (open) => streams.push(open),
    isTokenLive: (tokenId) => tokens.isLive(tokenId),
    onTokenEnd: (tokenId, end) => tokens.onEnd(tokenId, end),
  });
  server = createHttpServer(app, security).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

function answer(id: Id, input: { params: unknown; body: unknown }, grant: Grant | undefined): unknown {
  if (id === "health") return { status: "ok" };
  const { params, body } = input as { params: { thing: string }; body: { size?: number } };
  if (params.thing === "broken") throw new Error("a secret of the server");
  return body.size === undefined ? new WithStatus(200, { grant }) : { ...params, ...body, grant };
}

function watch(): FrameStream {
  const frames = new PushedFrames();
  frames.push({ id: 1, data: "one" });
  frames.push({ id: 2, data: "two" });
  frames.end();
  return new FrameStream(frames, () => 2);
}

const authorization = "Bearer a token of this test";
const make = (path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const read = async (response: Response) => [response.status, await response.json()];

test("an operation gets its input checked, and its value is the answer, also under /v1", async () => {
  expect(await read(await make("/v1/things/a%20b", { size: 3 }))).toEqual([
    201,
    { thing: "a b", size: 3, grant: everything },
  ]);
  expect(await read(await make("/things/a", {}))).toEqual([200, { grant: everything }]);
  expect(await read(await make("/things/a", { siez: 3 }))).toEqual([
    400,
    expect.objectContaining({ code: "invalid_request" }),
  ]);
});

test("who has no token is let in to what is public and to pages alone", async () => {
  expect(await read(await fetch(`${url}/health`))).toEqual([200, { status: "ok" }]);
  expect(await (await fetch(`${url}/page`)).text()).toBe("<p>a page</p>");
  expect((await fetch(`${url}/things/sse`)).status).toBe(401);
  const elsewhere = await fetch(`${url}/health`, { headers: { origin: "http://elsewhere" } });
  expect(elsewhere.status).toBe(403);
});

test("a path and a method that are not in the table are refused with what there is", async () => {
  const headers = { authorization };
  expect((await fetch(`${url}/nothing`, { headers })).status).toBe(404);
  const refused = await fetch(`${url}/health`, { method: "DELETE", headers });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
});

test("a stream ends with its source, and how many are open is told", async () => {
  const response = await fetch(`${url}/things/sse`, { headers: { authorization } });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await response.text()).toBe("id: 1\ndata: one\n\nid: 2\ndata: two\n\n");
  expect(streams).toEqual([1, 0]);
});

test("what is our fault is logged with an id and told without its text", async () => {
  const [status, problem] = await read(await make("/things/broken", {}));
  expect([status, problem.code]).toEqual([500, "internal"]);
  expect(JSON.stringify(problem)).not.toContain("secret");
  expect(told).toEqual([`a request failed: ${problem.errorId}`]);
});

test("a server that is closing refuses what comes", async () => {
  isClosing = true;
  expect((await fetch(`${url}/health`)).status).toBe(503);
});

test("what is no HTTP, and another host, are answered with a problem document", async () => {
  const { port } = new URL(url);
  for (const [request, status] of [
    ["nonsense\r\n\r\n", "400"],
    ["GET /health HTTP/1.1\r\nHost: elsewhere\r\n\r\n", "403"],
    [`GET /health HTTP/2.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`, "505"],
  ] as const) {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(text).toContain("application/problem+json");
  }
});
