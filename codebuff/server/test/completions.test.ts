import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { audit } from "../src/money/ledger/audit.ts";
import { drained, frame, type Reply, shortAnswer, streamOf, twoCents, usageFrame, words } from "./provider.ts";
import { chatBody, type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

let reply: Reply = shortAnswer;
let server: TestServer;
let people = 0;

beforeAll(async () => {
  const times = { heartbeatMs: 50, stalledMs: 1500, lastWordsMs: 300 };
  server = await startTestServer({ reply: (request, response) => reply(request, response), times });
});
afterAll(() => server.close());
afterEach(async () => {
  reply = shortAnswer;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
});

async function somebody(): Promise<{ person: Person; runId: string }> {
  const person = await server.person(`p${++people}@example.com`, 1000);
  return { person, runId: await server.run(person) };
}

const messageOf = (person: Person) =>
  server.database.db.selectFrom("message").selectAll().where("user_id", "=", person.id).executeTakeFirstOrThrow();

describe("a stream", () => {
  it("is forwarded byte for byte but for our comments and the usage, which shows the credits billed", async () => {
    const before = words("Zeichen: ü€😀") + ': a comment of the provider\n\nevent: x\ndata: {"usage":null}\n\n';
    reply = streamOf(before, usageFrame(twoCents), frame("[DONE]"));
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const text = await response.text();
    expect(text.startsWith(": codebuff\n\n")).toBe(true);
    const shown = { ...twoCents, cost: 2 / 105.5, cost_details: { upstream_inference_cost: 0 } };
    expect(withoutComments(text)).toBe(withoutComments(before) + usageFrame(shown) + frame("[DONE]"));
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
    expect(await messageOf(person)).toMatchObject({
      run_id: runId,
      client_id: "test",
      provider: "openrouter",
      service_id: "gen-1",
      input_tokens: 100,
      output_tokens: 20,
      cost_nano_dollars: 20_000_000,
      cost_from: "service",
      units: 2110,
      credits_shown: 2,
      outcome: "completed",
    });
  });

  it("whose usage comes on many frames is billed by the last one, and content stays in order", async () => {
    const early = usageFrame({ ...twoCents, cost: 0.5 });
    reply = streamOf(words("a"), early, words("b"), usageFrame(twoCents), words("c"), frame("[DONE]"));
    const { person, runId } = await somebody();
    const text = withoutComments(await (await server.chat(person, runId)).text());
    expect([...text.matchAll(/"content":"(\w)"/g)].map(([, letter]) => letter)).toEqual(["a", "b", "c"]);
    expect(text).toContain(early);
    expect(await messageOf(person)).toMatchObject({ units: 2110 });
  });

  it("is settled before its usage is forwarded", async () => {
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId);
    const reader = response.body?.getReader();
    for (let text = ""; !text.includes('"usage"'); ) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      expect(done).toBe(false);
      text += new TextDecoder().decode(value);
    }
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
    await reader?.cancel();
  });

  it("that the provider cuts off is cut off for the client too, and what came is estimated", async () => {
    reply = (_request, response) => {
      response.writeHead(200);
      response.write(words("Half an answ"), () => response.destroy());
    };
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId);
    await expect(response.text()).rejects.toThrow();
    await server.server.service.calls.none();
    const message = await messageOf(person);
    expect(message).toMatchObject({ outcome: "cut off", cost_from: "estimate", output_tokens: 3 });
    expect(message.units).toBeGreaterThan(0);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - message.units, held: 0 });
  });

  it("without [DONE] is not taken for complete, and a usage that came is what is billed", async () => {
    reply = streamOf(words("Hello"), usageFrame(twoCents));
    const { person, runId } = await somebody();
    await expect((await server.chat(person, runId)).text()).rejects.toThrow();
    expect(await messageOf(person)).toMatchObject({ outcome: "cut off", cost_from: "service", units: 2110 });
  });

  it("of silence carries comments between its frames", async () => {
    reply = async (_request, response) => {
      response.writeHead(200);
      response.write(words("a"));
      await wait(400);
      response.end(words("b") + usageFrame(twoCents) + frame("[DONE]"));
    };
    const { person, runId } = await somebody();
    const text = await (await server.chat(person, runId)).text();
    expect(text.match(/: heartbeat\n\n/g)?.length).toBeGreaterThan(1);
    expect(withoutComments(text).startsWith(words("a") + words("b"))).toBe(true);
  });

  it("whose client leaves is cancelled after a while; a usage that still came is billed", async () => {
    const { person, runId } = await somebody();
    const asked = openProvider();
    const controller = new AbortController();
    const response = await server.chat(person, runId, {}, { signal: controller.signal });
    const provider = await asked;
    await response.body?.getReader().read();
    controller.abort();
    await once(provider, "close");
    const other = await somebody();
    const askedAgain = openProvider();
    const again = new AbortController();
    await server.chat(other.person, other.runId, {}, { signal: again.signal });
    const talkative = await askedAgain;
    again.abort();
    talkative.end(words("and so on") + usageFrame(twoCents) + frame("[DONE]"));
    await server.server.service.calls.none();
    expect(await messageOf(person)).toMatchObject({ outcome: "client gone", cost_from: "estimate" });
    expect(await messageOf(other.person)).toMatchObject({ cost_from: "service", units: 2110 });
  });

  it("to a client that leaves before the first byte is cancelled and its input is billed", async () => {
    const { person, runId } = await somebody();
    let provider: ServerResponse | undefined;
    const asked = new Promise<void>((resolve) => {
      reply = (_request, response) => {
        provider = response;
        resolve();
      };
    });
    const controller = new AbortController();
    const response = server.chat(person, runId, {}, { signal: controller.signal });
    await asked;
    controller.abort();
    await expect(response).rejects.toThrow();
    if (provider && !provider.destroyed) await once(provider, "close");
    await server.server.service.calls.none();
    for (let tries = 0; tries < 100; tries++) {
      if ((await unitsOf(server.database, person.id)).held === 0) break;
      await wait(20);
    }
    expect(await messageOf(person)).toMatchObject({ outcome: "client gone", output_tokens: 0 });
  });

  it("to a client that left costs nothing when the provider then refuses", async () => {
    const { person, runId } = await somebody();
    const asked = new Promise<ServerResponse>((resolve) => {
      reply = (_request, response) => resolve(response);
    });
    const controller = new AbortController();
    const left = server.chat(person, runId, {}, { signal: controller.signal });
    const provider = await asked;
    controller.abort();
    await expect(left).rejects.toThrow();
    provider.writeHead(503, { "content-type": "application/json" }).end('{"error":{"message":"overloaded"}}');
    await server.server.service.calls.none();
    await expect
      .poll(() => unitsOf(server.database, person.id), { timeout: 20_000 })
      .toEqual({ balance: 1_000_000, held: 0 });
  });

  it("to a client that takes nothing waits without keeping it, and counts as gone in the end", async () => {
    let sent = 0;
    let kept = 0;
    let stopped = false;
    reply = async (_request, response) => {
      response.writeHead(200);
      // Comments: words would use up what is held.
      const piece = Buffer.from(`: ${"x".repeat(60_000)}\n\n`);
      while (!response.destroyed && sent < 512 * 1024 * 1024) {
        sent += piece.length;
        if (response.write(piece)) continue;
        const since = Date.now();
        await drained(response);
        // It stood still until the client counted as gone; what is read for the last words after that is not kept.
        if (kept === 0 && Date.now() - since >= 700) kept = sent;
      }
      stopped = true;
    };
    const { person, runId } = await somebody();
    const body = JSON.stringify(chatBody(runId));
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write(
      `POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, "readable");
    await server.server.service.calls.none();
    while (!stopped) await wait(20);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(64 * 1024 * 1024);
    expect(await messageOf(person)).toMatchObject({ outcome: "client gone" });
    socket.destroy();
  });

  it("with a frame that has no end is given up", async () => {
    reply = async (_request, response) => {
      response.writeHead(200);
      for (let n = 0; n < 40 && !response.destroyed; n++) {
        if (!response.write("x".repeat(65_536))) await drained(response);
      }
      response.destroy();
    };
    const { person, runId } = await somebody();
    await expect((await server.chat(person, runId)).text()).rejects.toThrow();
    expect(server.logged.join()).toContain("stream is broken");
  });
});

describe("the provider", () => {
  it.each([
    ["openrouter", "anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4.5"],
    ["openai", "openai/gpt-5", "gpt-5"],
    ["fireworks", "z-ai/glm-4.6", "accounts/fireworks/models/glm-4p6"],
  ])("%s sees its own request", async (name, model, native) => {
    const one = await startTestServer({
      env: { FIREWORKS_API_KEY: "fw_test_provider_key" },
    });
    try {
      const person = await one.person("a@example.com");
      const extras = { provider: { order: ["x"] }, usage: { include: false }, temperature: 0.5 };
      await (await one.chat(person, await one.run(person), { model, ...extras })).text();
      const { body, path } = one.provider.requests.at(-1) ?? { body: {} };
      const common = { model: native, stream: true, messages: [{ role: "user", content: "Hi" }], temperature: 0.5 };
      expect(path).toBe("/v1/chat/completions");
      expect(body).toEqual(
        {
          openrouter: { ...common, max_tokens: 1000, provider: { order: ["x"] }, usage: { include: true } },
          openai: { ...common, max_completion_tokens: 1000, stream_options: { include_usage: true } },
          fireworks: { ...common, max_tokens: 1000, stream_options: { include_usage: true } },
        }[name],
      );
    } finally {
      await one.close();
    }
  });

  it.each([true, false])("that tells absurd numbers is billed by what makes sense (stream: %s)", async (stream) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 2 ** 52, cost: 1e300 };
    const answer = { id: "gen-1", choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }], usage };
    reply = stream
      ? streamOf(words("Hi"), usageFrame(usage), frame("[DONE]"))
      : (_request, response) => void response.writeHead(200).end(JSON.stringify(answer));
    const { person, runId } = await somebody();
    expect((await (await server.chat(person, runId, { stream })).text()).length).toBeGreaterThan(0);
    // 1,000 tokens of three dollars a million.
    expect(await messageOf(person)).toMatchObject({ cost_from: "price table", units: 317, outcome: "completed" });
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 317, held: 0 });
  });

  it("that repeats our key in its error does not show it to the client", async () => {
    const { apiKey = "" } = server.server.service.config.providers.openrouter;
    reply = (_request, response) =>
      void response.writeHead(401).end(JSON.stringify({ error: { message: `bad key x${apiKey}y` } }));
    const { person, runId } = await somebody();
    const text = await (await server.chat(person, runId)).text();
    expect(text).toContain("bad key x");
    expect(text).not.toContain(apiKey);
  });

  it("that tells no cost is billed by tokens at the table's price, cached ones apart", async () => {
    const usage = { prompt_tokens: 10_000, completion_tokens: 1000, prompt_tokens_details: { cached_tokens: 8000 } };
    reply = streamOf(usageFrame(usage), frame("[DONE]"));
    const { person, runId } = await somebody();
    await (await server.chat(person, runId, { model: "openai/gpt-5" })).text();
    // 2,000 × 1.25 + 8,000 × 0.125 + 1,000 × 10 dollars per million
    expect(await messageOf(person)).toMatchObject({
      cost_nano_dollars: 13_500_000,
      cost_from: "price table",
      units: 1424,
    });
  });

  it.each([true, false])("that refuses is passed on with status, body and Retry-After (stream: %s)", async (stream) => {
    const problem = { error: { message: "Slow down, key sk-or-secret-12345678", code: 429 } };
    reply = (_request, response) => {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "7" }).end(JSON.stringify(problem));
    };
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId, { stream });
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      429,
      "7",
      { error: { message: "Slow down, key [redacted]", code: 429 } },
    ]);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000, held: 0 });
  });

  it.each([
    ["answers no JSON", (_: unknown, response: ServerResponse) => void response.writeHead(502).end("<html>")],
    ["answers 200 and no JSON", (_: unknown, response: ServerResponse) => void response.writeHead(200).end("<html>")],
    [
      "ends in the middle of its JSON",
      (_: unknown, response: ServerResponse) => void response.writeHead(200).end('{"id":'),
    ],
    ["cuts the connection", (_: unknown, response: ServerResponse) => void response.destroy()],
  ])("that %s is our 500, and nothing is charged", async (_, fault) => {
    reply = fault as Reply;
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId, { stream: false });
    expect([response.status, await response.json()]).toEqual([500, { message: expect.stringContaining("provider") }]);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000, held: 0 });
  });
});

describe("without a stream", () => {
  it("one answer is JSON with the credits shown", async () => {
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId, { stream: false });
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: "Hello" } }],
      usage: { prompt_tokens: 100, cost: 2 / 105.5, cost_details: { upstream_inference_cost: 0 } },
    });
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
  });

  it("several answers come as one, their usage summed", async () => {
    const { person, runId } = await somebody();
    const metadata = { run_id: runId, n: 3 };
    const response = await server.chat(person, runId, { stream: false, codebuff_metadata: metadata });
    const answer = (await response.json()) as { choices: { message: { content: string } }[]; usage: object };
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual(["Hello", "Hello", "Hello"]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 300, completion_tokens: 60, cost: 6 / 105.5 });
    expect(await messageOf(person)).toMatchObject({ units: 6330, input_tokens: 300 });
    expect(server.provider.requests.slice(-3).every(({ body }) => body.n === undefined)).toBe(true);
  });

  it("some of several failing is a 502, and those that came are billed", async () => {
    let count = 0;
    reply = (request, response) => {
      if (++count === 2) response.writeHead(500).end("{}");
      else return shortAnswer(request, response);
    };
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId, { stream: false, codebuff_metadata: { run_id: runId, n: 3 } });
    expect([response.status, await response.json()]).toEqual([502, { message: expect.stringContaining("1 of 3") }]);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 4220, held: 0 });
  });

  it("several answers cannot be streamed", async () => {
    const { person, runId } = await somebody();
    const response = await server.chat(person, runId, { codebuff_metadata: { run_id: runId, n: 2 } });
    expect(response.status).toBe(400);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000, held: 0 });
  });
});

it("the same Idempotency-Key never calls the model a second time", async () => {
  const { person, runId } = await somebody();
  const headers = { "idempotency-key": "once" };
  const provider = openProvider();
  const first = server.chat(person, runId, {}, { headers });
  const open = await provider;
  const count = server.provider.requests.length;
  const during = await server.chat(person, runId, {}, { headers });
  expect([during.status, await during.json()]).toMatchObject([409, { error: "request_in_progress" }]);
  open.end(usageFrame(twoCents) + frame("[DONE]"));
  await (await first).text();
  const after = await server.chat(person, runId, {}, { headers });
  expect([after.status, await after.json()]).toMatchObject([409, { error: "duplicate_request" }]);
  expect(server.provider.requests.length).toBe(count);
  expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
});

it("neither the client's key nor the provider's stands in a log or a row", async () => {
  const { person, runId } = await somebody();
  await (await server.chat(person, runId)).text();
  const rows = JSON.stringify(await server.database.db.selectFrom("session").selectAll().execute());
  for (const secret of [person.key, "sk-or-test-provider-key"]) {
    expect(server.logged.join()).not.toContain(secret);
    expect(rows).not.toContain(secret);
  }
});

/** The next request to the provider gets one frame and then waits for the test. */
function openProvider(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    reply = (_request, response) => {
      response.writeHead(200);
      response.write(words("begin "));
      resolve(response);
    };
  });
}

function withoutComments(text: string): string {
  return text
    .split("\n\n")
    .filter((part) => !part.startsWith(":"))
    .join("\n\n");
}
