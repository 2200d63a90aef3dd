import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { openSqliteFile } from "@muster/sql";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startHousekeeping } from "../../src/housekeeping.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { frame, type Reply, shortAnswer, streamOf, twoCents, usageFrame, words } from "../provider.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "../test-server.ts";

/** Calls that go wrong in every way we could think of: each is closed once, with what it cost. */
let reply: Reply = shortAnswer;
let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startTestServer({
    reply: (request, response) => reply(request, response),
    times: { lastWordsMs: 100 },
  });
});
afterAll(() => server.close());
afterEach(async () => {
  reply = shortAnswer;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
  const open = await server.database.db.selectFrom("credit_hold").select("request_id").where("state", "=", "open");
  expect(await open.execute(), "nothing waits for its lease to run out").toEqual([]);
});

async function somebody(credits = 1000): Promise<{ person: Person; runId: string }> {
  const person = await server.person(`p${++people}@example.com`, credits);
  return { person, runId: await server.run(person) };
}

const messagesOf = ({ id }: Person) =>
  server.database.db.selectFrom("message").selectAll().where("user_id", "=", id).execute();

const answerOf = (content: string, usage?: object) => ({
  id: "gen-1",
  choices: [{ index: 0, message: { role: "assistant", content } }],
  usage,
});

describe("a stream whose provider", () => {
  it.each([
    ["says nothing in its last usage", [usageFrame(twoCents), usageFrame({})], 2110, "service"],
    ["says null in its last usage", [usageFrame(twoCents), frame({ choices: [], usage: null })], 2110, "service"],
    ["says usage twice", [usageFrame({ ...twoCents, cost: 0.9 }), usageFrame(twoCents)], 2110, "service"],
    ["counts below zero", [usageFrame({ prompt_tokens: -5, completion_tokens: -1, cost: -3 })], undefined, "estimate"],
    ["pays us for the call", [usageFrame({ prompt_tokens: 1000, completion_tokens: 0, cost: -3 })], 317, "price table"],
    ["says its cost in words", [usageFrame({ prompt_tokens: 1000, cost: "free" })], 317, "price table"],
    ["fails after its first frame", [frame({ error: { message: "overloaded" } })], undefined, "estimate"],
  ] as const)("%s", async (_, frames, units, from) => {
    reply = streamOf(words("Hello, it is me"), ...frames, frame("[DONE]"));
    const { person, runId } = await somebody();
    expect(await (await server.chat(person, runId)).text()).toContain("[DONE]");
    const messages = await messagesOf(person);
    expect(messages).toMatchObject([{ cost_from: from, ...(units === undefined ? {} : { units }) }]);
    expect(messages[0]?.units).toBeGreaterThan(0);
    expect(await unitsOf(server.database, person.id)).toEqual({
      balance: 1_000_000 - (messages[0]?.units ?? 0),
      held: 0,
    });
  });

  it.each(["data: [DONE]", "data: [DONE]\n"])("ends with %j and no blank line is complete", async (end) => {
    reply = streamOf(words("Hello"), usageFrame(twoCents), end);
    const { person, runId } = await somebody();
    expect((await (await server.chat(person, runId)).text()).endsWith(end)).toBe(true);
    expect(await messagesOf(person)).toMatchObject([{ outcome: "completed", units: 2110 }]);
  });

  it("goes on after its end is left, and nobody hears of it", async () => {
    const junk = words("junk ".repeat(20_000));
    let provider: ServerResponse | undefined;
    reply = (_request, response) => {
      provider = response;
      response.writeHead(200);
      response.write(words("Hello") + usageFrame(twoCents) + frame("[DONE]"));
      const timer = setInterval(() => response.write(junk), 5);
      response.on("close", () => clearInterval(timer));
    };
    const { person, runId } = await somebody();
    const text = await (await server.chat(person, runId)).text();
    expect(text).toContain(`"cost":${2 / 105.5}`);
    expect(text).not.toContain("junk");
    if (provider && !provider.destroyed) await once(provider, "close");
  });
});

describe("without a stream", () => {
  const ask = (person: Person, runId: string, n = 1, more: object = {}, signal?: AbortSignal) =>
    server.chat(person, runId, { stream: false, codebuff_metadata: { run_id: runId, n }, ...more }, { signal });

  it.each([1, 3])("a client that leaves while %i answers are thought of pays for the input, once", async (n) => {
    const { person, runId } = await somebody();
    const asked = allAsked(n);
    const controller = new AbortController();
    const left = ask(person, runId, n, {}, controller.signal);
    await asked;
    controller.abort();
    await expect(left).rejects.toThrow();
    await server.server.service.calls.none();
    expect(await messagesOf(person)).toMatchObject([{ outcome: "client gone", cost_from: "estimate" }]);
    expect((await unitsOf(server.database, person.id)).held).toBe(0);
    expect(server.logged.join()).not.toContain("a request failed");
  });

  it("a client that left pays nothing when the provider then refuses", async () => {
    const { person, runId } = await somebody();
    const asked = allAsked(1);
    const controller = new AbortController();
    const left = ask(person, runId, 1, {}, controller.signal);
    const [provider] = await asked;
    controller.abort();
    await expect(left).rejects.toThrow();
    provider?.writeHead(503, { "content-type": "application/json" }).end("{}");
    await server.server.service.calls.none();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000, held: 0 });
  });

  it("an answer without usage is estimated by what it says", async () => {
    reply = (_request, response) => void response.end(JSON.stringify(answerOf("x".repeat(4000))));
    const { person, runId } = await somebody();
    expect((await ask(person, runId)).status).toBe(200);
    expect(await messagesOf(person)).toMatchObject([{ cost_from: "estimate", output_tokens: 1000 }]);
  });

  it("of three answers those that tell their cost are billed by it, the third by what it says", async () => {
    let count = 0;
    reply = (_request, response) =>
      void response.end(JSON.stringify(answerOf("x".repeat(400), ++count === 2 ? undefined : twoCents)));
    const { person, runId } = await somebody();
    expect((await ask(person, runId, 3)).status).toBe(200);
    const [message] = await messagesOf(person);
    expect(message).toMatchObject({ cost_from: "estimate" });
    // Two times two cents; 100 tokens at 15 dollars a million are 1,500,000 billionths, and a little input.
    expect(message?.cost_nano_dollars).toBeGreaterThan(41_500_000);
    expect(message?.cost_nano_dollars).toBeLessThan(42_000_000);
  });

  it("answers are priced one by one: two of 150,000 tokens are not one of 300,000", async () => {
    reply = (_request, response) =>
      void response.end(JSON.stringify(answerOf("Hi", { prompt_tokens: 150_000, completion_tokens: 0 })));
    const { person, runId } = await somebody();
    expect((await ask(person, runId, 2, { model: "google/gemini-2.5-pro" })).status).toBe(200);
    // 300,000 × 1.25 dollars a million; above 200,000 in one request it would be twice that.
    expect(await messagesOf(person)).toMatchObject([{ cost_nano_dollars: 375_000_000 }]);
  });

  it.each([
    ["null", []],
    ["[]", []],
    ['"text"', []],
    ["{", []],
    ['{"choices":[null,7]}', [{ cost_from: "estimate" }]],
  ])("%s is no broken server, and what cannot be read is not paid for", async (body, messages) => {
    reply = (_request, response) => void response.writeHead(200).end(body);
    const { person, runId } = await somebody();
    const response = await ask(person, runId);
    expect([200, 500]).toContain(response.status);
    expect(JSON.stringify(await response.json())).not.toContain("Something is broken");
    expect(await messagesOf(person)).toMatchObject(messages);
  });
});

it("the larger of two limits is held, whichever of them the provider obeys", async () => {
  const { person, runId } = await somebody();
  const asked = allAsked(1);
  const answer = server.chat(person, runId, { max_tokens: 1, max_completion_tokens: 20_000 });
  const [provider] = await asked;
  // 20,000 tokens at 15 dollars a million are 30 cents.
  expect((await unitsOf(server.database, person.id)).held).toBeGreaterThan(31_650);
  provider?.end(frame("[DONE]"));
  await (await answer).text();
});

it("a key revoked and an account suspended in the middle: this call ends and is paid, the next is refused", async () => {
  const { db } = server.database;
  for (const [status, change] of [
    [401, (id: string) => db.deleteFrom("session").where("user_id", "=", id).execute()],
    [403, (id: string) => db.updateTable("user").set({ banned: 1 }).where("id", "=", id).execute()],
  ] as const) {
    const { person, runId } = await somebody();
    const asked = allAsked(1);
    const stream = server.chat(person, runId);
    const [provider] = await asked;
    await change(person.id);
    provider?.end(words("Hello") + usageFrame(twoCents) + frame("[DONE]"));
    expect(await (await stream).text()).toContain("[DONE]");
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
    expect((await server.chat(person, runId)).status).toBe(status);
  }
});

it("20 requests with the same key at once are one call, also when its client leaves and asks again", async () => {
  const { person, runId } = await somebody();
  const before = server.provider.requests.length;
  const headers = { "idempotency-key": "again" };
  const asked = allAsked(1);
  const controller = new AbortController();
  const { signal } = controller;
  const all = Array.from({ length: 20 }, () => server.chat(person, runId, {}, { headers, signal }));
  await asked;
  const statuses: number[] = [];
  for (const one of all) one.then(({ status }) => statuses.push(status)).catch(() => {});
  await expect.poll(() => statuses, { timeout: 30_000 }).toEqual(Array(19).fill(409));
  controller.abort();
  await Promise.allSettled(all);
  await server.server.service.calls.none();
  const again = await server.chat(person, runId, {}, { headers });
  expect([again.status, await again.json()]).toMatchObject([409, { error: "duplicate_request" }]);
  expect(server.provider.requests.length).toBe(before + 1);
  expect(await messagesOf(person)).toHaveLength(1);
});

it("a client that leaves while its request waits at the gates: no provider hears of it, nothing is paid", async () => {
  const { person, runId } = await somebody();
  const before = server.provider.requests.length;
  const other = await openSqliteFile(server.server.service.config.databaseUrl.slice("sqlite:".length));
  other.exec("begin immediate");
  const controller = new AbortController();
  const arrived = nextArrival();
  const left = server.chat(person, runId, {}, { signal: controller.signal });
  const response = await arrived;
  controller.abort();
  await expect(left).rejects.toThrow();
  if (!response.closed) await once(response, "close");
  other.exec("rollback");
  other.close();
  await server.server.service.calls.none();
  expect(server.provider.requests.length).toBe(before);
  expect(await messagesOf(person)).toEqual([]);
  expect(await unitsOf(server.database, person.id)).toEqual({ balance: 1_000_000, held: 0 });
});

it("a clock that jumps ahead does not take a running call for a lost one", async () => {
  const { service } = server.server;
  const { person, runId } = await somebody();
  const asked = allAsked(1);
  const stream = server.chat(person, runId);
  const [provider] = await asked;
  const stop = await startHousekeeping({ ...service, now: () => Date.now() + 3_600_000 });
  await stop();
  provider?.end(words("Hello") + usageFrame(twoCents) + frame("[DONE]"));
  expect(await (await stream).text()).toContain("[DONE]");
  expect(await messagesOf(person)).toMatchObject([{ outcome: "completed", units: 2110 }]);
});

it("a server that is told to stop settles what it waits for, before and after the first byte", async () => {
  let asked = 0;
  const one = await startTestServer({
    reply: (_request, response) => {
      if (++asked === 1) return;
      response.writeHead(200);
      response.write(words("Hello"));
    },
  });
  const person = await one.person("a@example.com");
  const runId = await one.run(person);
  const answers = [one.chat(person, runId), one.chat(person, runId), one.chat(person, runId, { stream: false })].map(
    (answer) => answer.then((response) => response.text()).catch(() => "cut"),
  );
  await expect.poll(() => one.provider.requests.length, { timeout: 20_000 }).toBe(3);
  const { databaseUrl } = one.server.service.config;
  await one.server.close(0);
  await Promise.all(answers);
  const { openDatabase } = await import("../../src/database/open.ts");
  const database = await openDatabase(databaseUrl);
  try {
    expect(await audit(database)).toEqual([]);
    expect(await unitsOf(database, person.id)).toMatchObject({ held: 0 });
    const outcomes = await database.db.selectFrom("message").select("outcome").execute();
    expect(outcomes).toEqual(Array(3).fill({ outcome: "shut down" }));
  } finally {
    await database.close();
    await one.close();
  }
});

/** Resolves with the answer to the next request that comes in at this process: the client of the test is the only one. */
function nextArrival(): Promise<ServerResponse> {
  const name = "http.server.request.start";
  return new Promise((resolve) => {
    const onStart = (message: unknown) => {
      unsubscribe(name, onStart);
      resolve((message as { response: ServerResponse }).response);
    };
    subscribe(name, onStart);
  });
}

/** Resolves when the provider has been asked this often; it says nothing until the test does. */
function allAsked(times: number): Promise<ServerResponse[]> {
  const responses: ServerResponse[] = [];
  return new Promise((resolve) => {
    reply = (_request, response) => {
      if (responses.push(response) === times) resolve(responses);
    };
  });
}
