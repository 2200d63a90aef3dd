import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { Problem } from "@muster/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import {
  badTokenBodies,
  badTokenIds,
  escalations,
  forgedTokens,
  namingRequests,
  type TokenRequest,
} from "./token-requests.ts";
import { wireRequests } from "./wire-requests.ts";

const treasure = "treasure-of-somebody-else";
let home: DaemonHome;
let daemon: DaemonProcess;
let owner = "";
beforeAll(async () => {
  home = await DaemonHome.make({ args: [] });
  daemon = await home.start();
  owner = daemon.token ?? "";
  for (const id of ["own", "foreign", "gone"]) await asOwner("POST", `/sessions/${id}`, { agent: "mock" });
  await asOwner("POST", "/sessions/foreign/messages/stream", { message: `echo ${treasure}` });
  await asOwner("DELETE", "/sessions/gone");
});
afterAll(() => home.remove());

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Paths go out as they are written: fetch would tidy them up. A stream that opens is read for its head alone. */
function ask(token: string, { method, target, headers = {}, body }: Omit<TokenRequest, "title">): Promise<Answered> {
  const content = body === undefined ? "" : JSON.stringify(body);
  const { hostname, port } = new URL(daemon.api.baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path: target,
        agent: false,
        headers: {
          ...(token !== "" && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          "content-length": Buffer.byteLength(content),
          ...headers,
        },
      },
      (response) => {
        let text = "";
        const { statusCode: status = 0 } = response;
        const done = () => resolve({ status, headers: { ...response.headers, date: "" }, text });
        const type = response.headers["content-type"] ?? "";
        if (type.startsWith("text/event-stream") && method === "GET") {
          done();
          sent.destroy();
          return;
        }
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", done);
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.setTimeout(20_000, () => sent.destroy(new Error(`no answer to ${method} ${target}`)));
    sent.end(content);
  });
}

async function asOwner(method: string, target: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${daemon.api.baseUrl}${target}`, {
    method,
    headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target}: ${text}`);
  return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
}

const makeToken = (body: object) => asOwner("POST", "/tokens", body) as Promise<{ token: string; tokenId: string }>;

/** What is wrong with an answer whatever was asked: a fault of ours, an error without a problem, another's words. */
function faultOf({ status, headers, text }: Answered, method = "GET"): string | undefined {
  if (text.includes(treasure)) return "another session's words";
  // 505 is about the version of HTTP, which is the sender's.
  if (status >= 500 && status !== 505) return `${status}: ${text}`;
  if (status < 400 || method === "HEAD") return undefined;
  if (headers["content-type"] !== "application/problem+json") return `${status} without a problem document: ${text}`;
  const problem = Problem.safeParse(JSON.parse(text));
  return problem.success && problem.data.status === status ? undefined : `a bad problem: ${text}`;
}

const everything = async () => [
  await asOwner("GET", "/sessions"),
  await asOwner("GET", "/sessions/foreign/events"),
  ((await asOwner("GET", "/tokens")) as { tokens: { tokenId: string }[] }).tokens.map(({ tokenId }) => tokenId),
];

describe.each([
  ["read", { sessions: ["own"] }],
  ["work", { sessions: ["own"] }],
  ["work", { agents: ["claude"] }],
  ["admin", { sessions: ["own"], agents: ["mock"] }],
] as const)("%s with %j", (scope, limit) => {
  it("another session, one that was deleted and one that never was are told alike, however they are named", async () => {
    const { token } = await makeToken({ scope, ...limit });
    const before = await everything();
    const wrong: string[] = [];
    const [foreign, gone, nowhere] = ["foreign", "gone", "nowhere"].map(namingRequests);
    for (const [at, there] of (foreign ?? []).entries()) {
      const told = [];
      for (const [id, one] of [
        ["foreign", there],
        ["gone", gone?.[at]],
        ["nowhere", nowhere?.[at]],
      ] as const) {
        if (one === undefined) throw new Error("the three tables are one");
        const answer = await ask(token, one);
        const fault = faultOf(answer, one.method);
        if (fault !== undefined) wrong.push(`${one.method} ${one.target}: ${fault}`);
        const { "content-length": _, ...headers } = answer.headers;
        told.push(JSON.stringify({ ...answer, headers }).replaceAll(id, "nowhere"));
      }
      if (new Set(told).size > 1) wrong.push(`${there.title} ${there.target}: ${told.join(" ≠ ")}`);
    }
    expect(wrong).toEqual([]);
    expect(await everything()).toEqual(before);
  });
});

it("a token for reading one session gets no more by another path, method, header or field", async () => {
  const { token } = await makeToken({ scope: "read", sessions: ["own"] });
  const before = await everything();
  const wrong: string[] = [];
  let tried = 0;
  for (const one of escalations(owner)) {
    tried++;
    const answer = await ask(token, one);
    const fault = faultOf(answer, one.method) ?? (answer.status < 400 ? `${answer.status}: ${answer.text}` : undefined);
    if (fault !== undefined) wrong.push(`${one.title}: ${one.method} ${one.target}: ${fault}`);
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(80);
  expect(await everything()).toEqual(before);
});

it("nothing that is made from a token, or from its hash, is one", async () => {
  const { token, tokenId } = await makeToken({ scope: "admin" });
  const kept = JSON.parse(await readFile(join(home.dataDirectory, "access-tokens.json"), "utf8")) as {
    tokens: { tokenId: string; hash: string }[];
  };
  const hash = kept.tokens.find((one) => one.tokenId === tokenId)?.hash ?? "";
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect((await ask(token, { method: "GET", target: "/tokens" })).status).toBe(200);
  const wrong: string[] = [];
  for (const forged of forgedTokens(token, hash)) {
    const answer = await ask(forged, { method: "GET", target: "/tokens" });
    if (answer.status !== 401 || faultOf(answer) !== undefined)
      wrong.push(`${forged}: ${answer.status} ${answer.text}`);
  }
  expect(wrong).toEqual([]);
});

it("tokens that nobody should get are not made, and those that are not there not revoked", async () => {
  const before = await everything();
  const wrong: string[] = [];
  for (const body of badTokenBodies) {
    const answer = await ask(owner, { method: "POST", target: "/tokens", body });
    if (answer.status !== 400 || faultOf(answer)) wrong.push(`${JSON.stringify(body).slice(0, 200)}: ${answer.text}`);
  }
  for (const id of badTokenIds) {
    const answer = await ask(owner, { method: "DELETE", target: `/tokens/${id}` });
    if (![400, 404].includes(answer.status) || faultOf(answer)) wrong.push(`${id.slice(0, 50)}: ${answer.text}`);
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toEqual(before);
});

it("bytes that can be read in two ways are refused, and what hides in them is read by nobody", async () => {
  const { token } = await makeToken({ scope: "work" });
  const before = await everything();
  const wrong: string[] = [];
  const requests = wireRequests(token);
  expect(requests.length).toBeGreaterThan(130);
  for (const { title, bytes, right } of requests) {
    const answers = (await exchange(bytes)).split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean);
    const [first = ""] = answers;
    const status = Number(first.slice(9, 12));
    const [head = "", text = ""] = first.split("\r\n\r\n");
    const type = /^content-type: (.*)$/im.exec(head)?.[1];
    const fault = faultOf({ status, headers: { "content-type": type }, text });
    if (answers.length !== 1 || !right.includes(status) || fault) {
      wrong.push(`${title}: ${answers.length} answers, ${status}, ${fault ?? ""}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toEqual(before);
});

it("bytes that are no request, sent into a stream, end it and put no other answer into it", async () => {
  const head = `GET /sessions/own/events/sse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${owner}\r\n\r\n`;
  const text = await exchange(head, { after: "data:", bytes: "\u0000\r\n\r\n" });
  expect(text).toContain("session.started");
  expect(text.match(/HTTP\/1\.1/g)).toEqual(["HTTP/1.1"]);
});

/** Everything that comes back until the server closes; `then` is sent once when that has come. */
function exchange(bytes: string, then?: { after: string; bytes: string }): Promise<string> {
  const { hostname, port } = new URL(daemon.api.baseUrl);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => {
      const isDue = then !== undefined && !text.includes(then.after) && (text + part).includes(then.after);
      if (isDue) socket.write(then.bytes);
      text += part;
    });
    // What was said before the connection broke counts.
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

it("after all of it the daemon works, and nothing was logged as its fault", async () => {
  expect(await asOwner("POST", "/sessions/own/messages/stream", { message: "echo after" })).toContain("after");
  expect(daemon.stderr).not.toContain('"level":"error"');
  expect(daemon.stderr).not.toMatch(/unhandled|uncaught/i);
});
