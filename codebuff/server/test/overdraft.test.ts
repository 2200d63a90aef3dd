import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { audit } from "../src/money/ledger/audit.ts";
import { AgentClient } from "./agent-client.ts";
import { drained, type Reply, shortAnswer, words } from "./provider.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

let reply: Reply = shortAnswer;
let server: TestServer;
let people = 0;
beforeAll(async () => {
  const times = { lastWordsMs: 300 };
  server = await startTestServer({ reply: (request, response) => reply(request, response), times });
});
afterAll(() => server.close());
afterEach(async () => {
  reply = shortAnswer;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
});

async function somebody(credits: number): Promise<{ person: Person; runId: string }> {
  const person = await server.person(`p${++people}@example.com`, credits);
  return { person, runId: await server.run(person) };
}

const messageOf = (person: Person) =>
  server.database.db.selectFrom("message").selectAll().where("user_id", "=", person.id).executeTakeFirstOrThrow();

/** A provider that pays no heed to what it was asked for. */
const endless: Reply = async (_request, response) => {
  response.writeHead(200);
  const piece = words("word ".repeat(200));
  while (!response.destroyed) {
    if (!response.write(piece)) await drained(response);
    await wait(1);
  }
};

const web = { type: "openrouter:web_search" };
const notAllowed: [name: string, more: object][] = [
  ["models", { models: ["openai/o1-pro"] }],
  ["route", { route: "fallback" }],
  ["plugins", { plugins: [{ id: "web", max_results: 50 }] }],
  ["preset", { preset: "dear" }],
  ["web_search_options", { web_search_options: { search_context_size: "high" } }],
  ["service_tier", { service_tier: "priority" }],
  ["prediction", { prediction: { type: "content", content: "x" } }],
  ["modalities", { modalities: ["image", "text"] }],
  ["audio", { audio: { voice: "alloy", format: "mp3" } }],
  ["a field that nobody knows", { tomorrow: true }],
  ["__proto__", JSON.parse('{"__proto__":{"models":["openai/o1-pro"]}}')],
  ["an option of provider that nobody knows", { provider: { order: ["x"], experimental: { engine: "dear" } } }],
  ["a model that searches", { model: "anthropic/claude-haiku-4.5:online" }],
  ["a preset as model", { model: "@preset/dear" }],
  ["a model with a preset", { model: "anthropic/claude-haiku-4.5@preset/dear" }],
  ["a tool that is no function", { tools: [{ type: "function", function: { name: "f" } }, web] }],
  ["a tool without a type", { tools: [null] }],
];

describe("what chooses another model or price, or works beside the answer, is refused before anything is held", () => {
  it.each(notAllowed)("%s", async (_, more) => {
    const { person, runId } = await somebody(5);
    const count = server.provider.requests.length;
    const response = await server.chat(person, runId, more);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "field_not_allowed", message: expect.stringContaining("not allowed here") },
    ]);
    expect(server.provider.requests.length).toBe(count);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 5000, held: 0 });
  });

  it.each(notAllowed.filter(([, more]) => Object.keys(more).length > 0))(
    "%s passes with an own key",
    async (_, more) => {
      const { person, runId } = await somebody(0);
      const headers = { "x-openrouter-api-key": "sk-or-v1-own" };
      const response = await server.chat(person, runId, more, { headers });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("[DONE]")]);
      expect(server.provider.requests.at(-1)?.body).toMatchObject(more);
    },
  );

  it("20 calls at once that name a dear model beside a cheap one: none passes", async () => {
    const { person, runId } = await somebody(5);
    const more = { model: "anthropic/claude-haiku-4.5", models: ["openai/o1-pro"], max_tokens: 2000 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.chat(person, runId, more)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 400));
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 5000, held: 0 });
  });

  it("what our clients send passes as it is", async () => {
    const { person, runId } = await somebody(100);
    const more = {
      provider: { order: ["anthropic"], allow_fallbacks: false, max_price: { prompt: 1 }, sort: "price" },
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
      tool_choice: "auto",
      stop: ['"cb_easp"'],
      reasoning: { effort: "low" },
      temperature: 0.5,
    };
    await (await server.chat(person, runId, more)).text();
    expect(server.provider.requests.at(-1)?.body).toMatchObject(more);
  });
});

describe("a hold", () => {
  /** What is held while the provider has not answered, and what the provider was asked. */
  async function holdOf(credits: number, more: object): Promise<{ amount: number; covered: number; asked: unknown }> {
    const { person, runId } = await somebody(credits);
    const asked = new Promise<ServerResponse>((resolve) => {
      reply = (_request, response) => resolve(response);
    });
    const answer = server.chat(person, runId, more);
    const provider = await asked;
    const { amount, covered } = await server.database.db
      .selectFrom("credit_hold")
      .selectAll()
      .where("owner_id", "=", person.id)
      .executeTakeFirstOrThrow();
    provider.writeHead(503).end("{}");
    await (await answer).text();
    return { amount, covered, asked: server.provider.requests.at(-1)?.body.max_tokens };
  }

  it.each([
    ["the whole max_tokens named", { max_tokens: 100_000 }, 100_000, 15],
    ["the larger of two names", { max_tokens: 5, max_completion_tokens: 90_000 }, 90_000, 15],
    ["what is asked for when nothing is named", { max_tokens: undefined }, 8192, 15],
    ["what is asked for when null is named", { max_tokens: null }, 8192, 15],
    ["the dearest price where a model has none", { model: "nobody/knows-it", max_tokens: 10_000 }, 10_000, 75],
  ])("covers %s, and the provider is asked for no more", async (_, more, tokens, dollarsPerMillion) => {
    const { amount, covered, asked } = await holdOf(10_000, more);
    const output = Math.round((tokens * dollarsPerMillion * 105_500) / 1e6);
    expect(amount).toBeGreaterThanOrEqual(output);
    expect(amount).toBeLessThan(output + 1000);
    expect([covered, asked]).toEqual([1, tokens]);
  });

  it("is all that is left where that is less", async () => {
    expect(await holdOf(3, { max_tokens: 1_000_000 })).toEqual({ amount: 3000, covered: 0, asked: 1_000_000 });
  });
});

describe("a provider that never ends", () => {
  it("is cut off when the hold is used up, with a word why and no end, and the account is not in debt", async () => {
    reply = endless;
    const { person, runId } = await somebody(5);
    const response = await server.chat(person, runId, { max_tokens: 1_000_000 });
    let text = "";
    const read = async () => {
      for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString("utf8");
    };
    await expect(read()).rejects.toThrow();
    expect(text).toContain('"code":"credits_used_up"');
    expect(text).not.toContain("[DONE]");
    await server.server.service.calls.none();
    const { outcome, cost_from, units } = await messageOf(person);
    expect({ outcome, cost_from }).toEqual({ outcome: "used up", cost_from: "estimate" });
    expect(units).toBeGreaterThan(4000);
    expect((await unitsOf(server.database, person.id)).balance).toBe(5000 - units);
    expect(units).toBeLessThanOrEqual(5000);
  });

  it("is cut off long after what it was asked for, when the account has enough", async () => {
    reply = endless;
    const { person, runId } = await somebody(10_000);
    const response = await server.chat(person, runId, { max_tokens: 1000 });
    await expect(response.text()).rejects.toThrow();
    await server.server.service.calls.none();
    const { outcome, output_tokens, units } = await messageOf(person);
    expect(outcome).toBe("used up");
    expect(output_tokens).toBeGreaterThan(4000);
    expect(output_tokens).toBeLessThan(20_000);
    // The hold: 1000 tokens of output and the bytes of the request.
    expect(units).toBeLessThan(1700);
  });

  it("costs a client that reads nothing and leaves no more than was held", async () => {
    reply = endless;
    const { person, runId } = await somebody(500);
    const controller = new AbortController();
    const { signal } = controller;
    await server.chat(person, runId, { max_tokens: undefined }, { signal });
    await wait(200);
    controller.abort();
    await server.server.service.calls.none();
    const { balance, held } = await unitsOf(server.database, person.id);
    // 8,192 tokens of 15 dollars a million, and the bytes of the request.
    expect(balance).toBeGreaterThan(500_000 - 13_100);
    expect([balance < 500_000, held]).toEqual([true, 0]);
  });

  it("ends the turn of agent mode with our words, and the account is not in debt", async () => {
    reply = endless;
    const person = await server.person("agent@example.com", 5);
    const client = new AgentClient({ url: () => server.url, key: person.key, sessionId: "s", run: async () => "" });
    expect(await client.work("go")).toMatchObject({ type: "failed", code: "credits_used_up" });
    client.close();
    await server.server.service.calls.none();
    expect((await unitsOf(server.database, person.id)).balance).toBeGreaterThanOrEqual(0);
  });
});

it.each(["{", "[1]", '"text"', "", "<html>", "null"])(
  "an answer that cannot be read costs nothing: %j",
  async (text) => {
    reply = (_request, response) => void response.writeHead(200).end(text);
    const { person, runId } = await somebody(100);
    const response = await server.chat(person, runId, { stream: false });
    expect([response.status, await response.json()]).toEqual([500, { message: expect.stringContaining("provider") }]);
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 100_000, held: 0 });
  },
);
