import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFacts } from "../../src/protocol/request-facts.ts";
import { ask, jsonPieces, type Kit, startKit } from "../kit.ts";
import { messagesStream, protocols, startUpstream, type Upstream } from "../upstream.ts";
import {
  droppedHeaders,
  modelBodies,
  otherModels,
  type RawRequest,
  refused,
  refusedAtDoors,
} from "./gateway-requests.ts";

const real = "sk-ant-real-0123456789";
const dear = "gpt-5.2";
let kit: Kit;
let provider: Upstream;
beforeAll(async () => {
  provider = await startUpstream((request, response) => {
    if (request.url.includes("chat/completions")) {
      const usage = { prompt_tokens: 1000, completion_tokens: 1000 };
      const json = JSON.stringify({ id: "c", model: dear, choices: [], usage });
      return response.writeHead(200, { "content-type": "application/json" }).end(json);
    }
    if (request.headers["x-turn"] === "away") {
      return response.writeHead(307, { location: "http://evil.example/v1/messages" }).end();
    }
    return response.writeHead(200, { "content-type": "text/event-stream" }).end(messagesStream());
  });
  kit = await startKit();
  kit.sessions.add("s1");
});
afterAll(async () => {
  await kit.close();
  await provider.close();
});

/** Sends the bytes as they are and reads until the listener ends the connection or has answered once. */
async function send(request: RawRequest, token: string): Promise<string> {
  const { method = "POST", target = "/v1/messages", body = "", headers = [], isWithoutKey } = request;
  const { port } = new URL(kit.gateway.url);
  const hosts = request.host ?? [`127.0.0.1:${port}`];
  const key = isWithoutKey ? [] : [`x-api-key: ${token}`];
  const hasEnd = headers.some((line) => /content-length|transfer-encoding/i.test(line));
  const end = hasEnd ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), ...key, ...headers, ...end];
  const text = `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`
    .replaceAll("TOKEN", token)
    .replaceAll("DIGEST", createHash("sha256").update(token).digest("hex"));
  const socket = connect(Number(port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.write(Buffer.from(text, "latin1"));
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

describe("A hostile request to the gateway is answered with words and reaches no provider:", () => {
  it.each(refused.map((request) => [request.what, request] as const))("%s", async (_, request) => {
    const { token, release } = kit.access({ own: { baseUrl: `${provider.url}/tenant`, token: real } });
    const before = provider.seen.length;
    const answer = await send(request, token);
    release();
    expect(provider.seen.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain(real);
  });

  it("every wrong host and key at every door of a protocol, more than 250 of them", async () => {
    expect(refusedAtDoors.length).toBeGreaterThanOrEqual(250);
    const before = provider.seen.length;
    const wrong: string[] = [];
    for (const request of refusedAtDoors) {
      const { token, release } = kit.access({ own: { baseUrl: `${provider.url}/tenant`, token: real } });
      const answer = await send(request, token);
      release();
      if (!/^HTTP\/1\.1 4\d\d /.test(answer) || answer.includes(real)) wrong.push(`${request.what}: ${answer}`);
    }
    expect(wrong).toEqual([]);
    expect(provider.seen.length).toBe(before);
  });

  it("there are at least 120 of them, and 150 with those below", () => {
    expect(new Set(refused.map((request) => JSON.stringify(request))).size).toBeGreaterThanOrEqual(120);
    expect(refused.length + droppedHeaders.length + modelBodies.length + otherModels.length).toBeGreaterThanOrEqual(
      150,
    );
  });
});

it.each(droppedHeaders)("The header %s of an agent does not reach the provider", async (name, value) => {
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: real } });
  const pieces = jsonPieces(protocols.messages.body);
  const answer = await ask(`${baseUrl}/v1/messages`, { headers: { "x-api-key": token, [name]: value }, pieces });
  expect(answer.status).toBe(200);
  expect(provider.seen.at(-1)?.headers[name]).not.toBe(value);
});

it("A provider that sends elsewhere is not followed: the agent is told, and the key stays", async () => {
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: real } });
  const before = provider.seen.length;
  const headers = { "x-api-key": token, "x-turn": "away" };
  const answer = await ask(`${baseUrl}/v1/messages`, { headers, pieces: jsonPieces(protocols.messages.body) });
  expect([answer.status, answer.headers.location]).toEqual([307, "http://evil.example/v1/messages"]);
  expect(provider.seen.length).toBe(before + 1);
  expect(JSON.stringify(answer.headers)).not.toContain(real);
});

it.each(modelBodies)("The model of a body that names it %s", (_, body, model) => {
  const bytes = Buffer.from(body, "latin1");
  expect(readFacts(bytes, { kind: "model", protocol: "chat" }, undefined).model).toBe(model);
});

it.each(otherModels)("A dearer model that answers by way of %s is counted at its own price", async (_, member) => {
  const { baseUrl, token } = kit.access({ provider: "openai", own: { baseUrl: provider.url, token: real } });
  const body = { model: "gpt-5-nano", messages: [], ...member };
  const headers = { authorization: `Bearer ${token}` };
  const settled = kit.sessions.settlements().length;
  expect((await ask(`${baseUrl}/v1/chat/completions`, { headers, pieces: jsonPieces(body) })).status).toBe(200);
  await kit.sessions.until("settled", settled + 1);
  const cheap = kit.sessions.settlements().at(-1)?.spent.listNanoUsd;
  await ask(`${baseUrl}/v1/chat/completions`, { headers, pieces: jsonPieces({ ...body, model: dear }) });
  await kit.sessions.until("settled", settled + 2);
  expect(cheap).toBe(kit.sessions.settlements().at(-1)?.spent.listNanoUsd);
  expect(cheap).toBeGreaterThan(0);
});
