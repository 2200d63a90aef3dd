import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, begin, jsonPieces, type Kit, readAnswer, startKit } from "./kit.ts";
import { messagesStream, protocolNames, protocols, startUpstream, type Upstream } from "./upstream.ts";

let kit: Kit;
const upstreams: Upstream[] = [];
beforeEach(async () => {
  kit = await startKit();
  kit.sessions.add("s1");
});
afterEach(async () => {
  await kit.close();
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});

async function upstream(...args: Parameters<typeof startUpstream>): Promise<Upstream> {
  const started = await startUpstream(...args);
  upstreams.push(started);
  return started;
}

const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const cutInto = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

/** What the stream of each protocol says of itself beside its usage. */
const answered = {
  messages: { model: "m", id: "msg_1", finishReason: "end_turn" },
  responses: { id: "resp_1", finishReason: "completed" },
  chat: { id: "c" },
  gemini: { finishReason: "STOP" },
};

describe.each(protocolNames)("%s", (name) => {
  const protocol = protocols[name];

  it.each([1, 7, 64, 1_000_000])(
    "bodies in pieces of %s bytes are the same at both ends, and the usage is the wire's",
    async (size) => {
      const stream = Buffer.from(protocol.stream({ texts: ["Grüße 🌍 ", "x".repeat(300)] }));
      const provider = await upstream(async (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "X-Odd-Case": "kept" });
        for (const piece of cutInto(stream, size)) {
          response.write(piece);
          await new Promise(setImmediate);
        }
        response.end();
      });
      const { baseUrl, token } = kit.access({
        provider: protocol.provider,
        own: { baseUrl: provider.url, token: "sk-real-1" },
      });
      const body = Buffer.from(JSON.stringify(protocol.body));
      const headers = { ...protocol.auth(token), "content-type": "application/json", "accept-encoding": "gzip, br" };
      const answer = await ask(`${baseUrl}${protocol.path}`, { headers, pieces: cutInto(body, size) });
      const [seen] = provider.seen;
      expect([answer.status, answer.isCut, hash(answer.body)]).toEqual([200, false, hash(stream)]);
      expect(hash(seen?.body ?? Buffer.alloc(0))).toBe(hash(body));
      expect(seen?.url).toBe(protocol.path);
      expect(seen?.headers).toMatchObject({ ...protocol.auth("sk-real-1"), "accept-encoding": "identity" });
      expect(JSON.stringify(seen?.headers)).not.toContain(token);
      expect(answer.headers).toMatchObject({ "content-type": "text/event-stream", "x-odd-case": "kept" });
      await kit.sessions.until("settled", 1);
      expect(kit.sessions.settlements()).toMatchObject([
        { isEstimated: false, status: 200, spent: { requests: 1, inputTokens: 1000, outputTokens: 50 } },
      ]);
      expect(kit.sessions.settlements()[0]?.answered).toEqual({ isStream: true, ...answered[name] });
      expect(kit.sessions.of("began")).toMatchObject([{ value: { protocol: name, provider: protocol.provider } }]);
    },
  );

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])(
    "an answer that comes in %s all the same passes as it is, and a decoded copy is metered",
    async (encoding, compress) => {
      const packed = compress(Buffer.from(protocol.stream()));
      const provider = await upstream((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding }).end(packed);
      });
      const { baseUrl, token } = kit.access({
        provider: protocol.provider,
        own: { baseUrl: provider.url, token: "sk-real-1" },
      });
      const answer = await ask(`${baseUrl}${protocol.path}`, {
        headers: protocol.auth(token),
        pieces: jsonPieces(protocol.body),
      });
      expect([answer.headers["content-encoding"], hash(answer.body)]).toEqual([encoding, hash(packed)]);
      await kit.sessions.until("settled", 1);
      expect(kit.sessions.settlements()).toMatchObject([
        { isEstimated: false, spent: { inputTokens: 1000, outputTokens: 50 } },
      ]);
    },
  );

  it("a 429 passes with its headers and costs nothing", async () => {
    const provider = await upstream((_, response) => {
      response.writeHead(429, { "retry-after": "7", "content-type": "application/json" }).end('{"error":"slow down"}');
    });
    const { baseUrl, token } = kit.access({
      provider: protocol.provider,
      own: { baseUrl: provider.url, token: "sk-real-1" },
    });
    const answer = await ask(`${baseUrl}${protocol.path}`, {
      headers: protocol.auth(token),
      pieces: jsonPieces(protocol.body),
    });
    expect([answer.status, answer.headers["retry-after"], String(answer.body)]).toEqual([
      429,
      "7",
      '{"error":"slow down"}',
    ]);
    expect(kit.sessions.settlements()).toMatchObject([
      { status: 429, isEstimated: false, spent: { requests: 1, inputTokens: 0, listNanoUsd: 0 } },
    ]);
  });

  it("a stream that the provider cuts is cut for the agent, and settled by its characters", async () => {
    const whole = Buffer.from(protocol.stream({ texts: ["x".repeat(400), "y".repeat(200)] }));
    const half = whole.subarray(0, whole.length - 350);
    const provider = await upstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(half, () => response.destroy());
    });
    const { baseUrl, token } = kit.access({
      provider: protocol.provider,
      own: { baseUrl: provider.url, token: "sk-real-1" },
    });
    const answer = await ask(`${baseUrl}${protocol.path}`, {
      headers: protocol.auth(token),
      pieces: jsonPieces(protocol.body),
    });
    expect([answer.isCut, hash(answer.body)]).toEqual([true, hash(half)]);
    await kit.sessions.until("settled", 1);
    const [settled] = kit.sessions.settlements();
    expect(settled).toMatchObject({ isEstimated: true, spent: { requests: 1 } });
    expect(settled?.spent.outputTokens).toBeGreaterThanOrEqual(100);
  });
});

it("an answer that did not stream is metered and passes untouched", async () => {
  const said = JSON.stringify({ id: "msg", content: [], usage: { input_tokens: 12, output_tokens: 3 } });
  const provider = await upstream((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(said),
  );
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await ask(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  expect(String(answer.body)).toBe(said);
  await kit.sessions.until("settled", 1);
  expect(kit.sessions.settlements()).toMatchObject([
    { isEstimated: false, spent: { inputTokens: 12, outputTokens: 3 } },
  ]);
});

it("models and counts of tokens pass by GET and POST, and are not metered", async () => {
  const provider = await upstream((request, response) => response.end(`${request.method} ${request.url}`));
  const { baseUrl, token } = kit.access({ own: { baseUrl: `${provider.url}/v1`, token: "sk-real-1" } });
  const headers = { authorization: `Bearer ${token}` };
  const models = await ask(`${baseUrl}/v1/models?limit=2`, { method: "GET", headers });
  const counted = await ask(`${baseUrl}/v1/messages/count_tokens?beta=true`, {
    headers,
    pieces: jsonPieces({ model: "m" }),
  });
  expect([models, counted].map(({ body }) => String(body))).toEqual([
    "GET /v1/models?limit=2",
    "POST /v1/messages/count_tokens?beta=true",
  ]);
  expect(provider.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-real-1", "Bearer sk-real-1"]);
  expect(provider.seen[0]?.headers["content-length"]).toBeUndefined();
  expect(kit.sessions.told).toEqual([]);
});

it("Gemini is asked for Chat Completions at the path that it has for them", async () => {
  const provider = await upstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(protocols.chat.stream());
  });
  const { baseUrl, token } = kit.access({ provider: "gemini", own: { baseUrl: provider.url, token: "AIza-real" } });
  const answer = await ask(`${baseUrl}/v1beta/openai/chat/completions`, {
    headers: { authorization: `Bearer ${token}` },
    pieces: jsonPieces({ ...protocols.chat.body, model: "gemini-2.5-pro" }),
  });
  expect(answer.status).toBe(200);
  expect(provider.seen).toMatchObject([
    { url: "/v1beta/openai/chat/completions", headers: { authorization: "Bearer AIza-real" } },
  ]);
  await kit.sessions.until("settled", 1);
  expect(kit.sessions.settlements()).toMatchObject([{ spent: { inputTokens: 1000, outputTokens: 50 } }]);
});

it("a redirect is not followed: it passes as it is, and nobody else sees the key", async () => {
  const other = await upstream((_, response) => response.end("reached"));
  const provider = await upstream((_, response) =>
    response.writeHead(307, { location: `${other.url}/v1/messages` }).end(),
  );
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await ask(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  expect([answer.status, answer.headers.location]).toEqual([307, `${other.url}/v1/messages`]);
  expect(other.seen).toEqual([]);
});

it("a slow provider is waited for, and the head comes before the first word", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const provider = await upstream(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    await released;
    response.end(messagesStream());
  });
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await begin(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  expect(answer.statusCode).toBe(200);
  release();
  expect(String((await readAnswer(answer)).body)).toBe(messagesStream());
});

it("nothing goes to the provider before the session's log has the request", async () => {
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const provider = await upstream((_, response) => response.end(messagesStream()));
  kit.sessions.beforeBegan = async () => {
    isAsked();
    await written;
  };
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answered = ask(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  await asked;
  expect(provider.seen).toEqual([]);
  write();
  expect((await answered).status).toBe(200);
});

it("a log that cannot be written: the request is not sent, refused with words and costs nothing", async () => {
  const provider = await upstream((_, response) => response.end());
  kit.sessions.beforeBegan = () => Promise.reject(new Error("the disk is full"));
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await ask(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  expect([answer.status, String(answer.body)]).toEqual([500, expect.stringContaining("the disk is full")]);
  expect(provider.seen).toEqual([]);
  expect(kit.sessions.settlements()).toMatchObject([{ spent: { listNanoUsd: 0 } }]);
});

it("an agent that leaves in the middle of a stream: the provider is left, and settled by estimate", async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const provider = await upstream((_, response) => {
    closed = once(response, "close");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(messagesStream({ texts: ["x".repeat(4000)] }).split("event: message_delta")[0]);
  });
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await begin(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  await once(answer, "data");
  answer.destroy();
  await kit.sessions.until("settled", 1);
  await closed;
  expect(kit.sessions.settlements()).toMatchObject([
    { isEstimated: true, spent: { inputTokens: 1000, outputTokens: 1000 } },
  ]);
});

it("an agent that reads slowly slows the provider down, and gets all of it", async () => {
  const piece = randomBytes(65_536);
  let written = 0;
  const provider = await upstream(async (_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).setMaxListeners(0);
    for (let n = 0; n < 400 && !response.destroyed; n++) {
      written += piece.length;
      if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
    response.end();
  });
  const { baseUrl, token } = kit.access({ own: { baseUrl: provider.url, token: "sk-real-1" } });
  const answer = await begin(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  answer.pause();
  // Until nothing more is taken: two looks that find the same.
  for (let before = -1; written === 0 || before !== written; ) {
    before = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(written).toBeLessThan(400 * piece.length);
  expect((await readAnswer(answer)).body.length).toBe(400 * piece.length);
});

it("a WebSocket is refused with the status that sends agents to HTTP", async () => {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-key": "x",
    "sec-websocket-version": "13",
  };
  const answer = await ask(`${kit.gateway.url}/v1/responses`, { method: "GET", headers });
  expect([answer.status, String(answer.body)]).toEqual([426, expect.stringContaining("ask over HTTP")]);
});

it("a provider that cannot be reached is 502 with its host, in the words of the protocol", async () => {
  const gone = await upstream(() => {});
  await gone.close();
  const { baseUrl, token } = kit.access({ own: { baseUrl: gone.url, token: "sk-real-1" } });
  const answer = await ask(`${baseUrl}/v1/messages`, {
    headers: { "x-api-key": token },
    pieces: jsonPieces(protocols.messages.body),
  });
  expect([answer.status, JSON.parse(String(answer.body))]).toEqual([
    502,
    { type: "error", error: { type: "api_error", message: expect.stringContaining(new URL(gone.url).host) } },
  ]);
  expect(kit.sessions.settlements()).toMatchObject([{ spent: { requests: 1, listNanoUsd: 0 } }]);
});
