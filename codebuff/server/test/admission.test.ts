import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { never } from "../src/database/tables.ts";
import { audit } from "../src/money/ledger/audit.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

const aiSdk = { "user-agent": "ai-sdk/openai-compatible/2.0.1/codebuff" };

interface Ask {
  readonly body: string | object;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

interface Row {
  readonly gate: string;
  readonly ask: (world: World) => Ask | Promise<Ask>;
  readonly status: number;
  readonly code?: string;
  readonly message: RegExp;
}

interface World {
  readonly server: TestServer;
  readonly rich: Person;
  readonly poor: Person;
  readonly banned: Person;
  readonly runs: Record<"rich" | "poor" | "finished" | "other", string>;
}

const chat = (runId: unknown, more: object = {}, metadata: object = {}) => ({
  model: "anthropic/claude-sonnet-4.5",
  stream: true,
  max_tokens: 100,
  messages: [{ role: "user", content: "Hi" }],
  codebuff_metadata: { run_id: runId, ...metadata },
  ...more,
});

/** The table of the gates: every row is one refusal, in the order in which they are checked. */
const table: readonly Row[] = [
  { gate: "G1 broken JSON", ask: () => ({ body: "{" }), status: 400, message: /not valid JSON/ },
  { gate: "G1 not an object", ask: () => ({ body: "[1]" }), status: 400, message: /not a JSON object/ },
  { gate: "G1 comes before G2", ask: () => ({ body: "nonsense" }), status: 400, message: /JSON/ },
  { gate: "G2 no key", ask: ({ runs }) => ({ body: chat(runs.rich) }), status: 401, message: /No API key/ },
  {
    gate: "G2 unknown key",
    ask: ({ runs }) => ({ body: chat(runs.rich), key: "cb-pat-nobody" }),
    status: 401,
    message: /not valid/,
  },
  {
    gate: "G2 Authorization wins over the other header",
    ask: ({ runs, rich }) => ({ body: chat(runs.rich), key: "wrong", headers: { "x-codebuff-api-key": rich.key } }),
    status: 401,
    message: /not valid/,
  },
  {
    gate: "G3 banned",
    ask: ({ runs, banned }) => ({ body: chat(runs.rich), key: banned.key }),
    status: 403,
    code: "account_suspended",
    message: /suspended/,
  },
  {
    gate: "G3 comes before G5",
    ask: ({ banned }) => ({ body: chat("nonsense"), key: banned.key }),
    status: 403,
    code: "account_suspended",
    message: /suspended/,
  },
  {
    gate: "G4 free mode in a country without it",
    ask: ({ runs, rich }) => ({
      body: chat(runs.rich, {}, { cost_mode: "free" }),
      key: rich.key,
      headers: { "x-forwarded-for": "8.8.8.8, 114.114.114.114" },
    }),
    status: 403,
    code: "free_mode_unavailable",
    message: /country/,
  },
  {
    gate: "G4 by the proxy's word",
    ask: ({ runs, rich }) => ({
      body: chat(runs.rich, {}, { cost_mode: "free" }),
      key: rich.key,
      headers: { "x-forwarded-for": "8.8.8.8", "cf-ipcountry": "FR" },
    }),
    status: 403,
    code: "free_mode_unavailable",
    message: /country/,
  },
  {
    gate: "G4 comes before G5",
    ask: ({ rich }) => ({
      body: chat(undefined, {}, { cost_mode: "free" }),
      key: rich.key,
      headers: { "x-forwarded-for": "114.114.114.114" },
    }),
    status: 403,
    code: "free_mode_unavailable",
    message: /country/,
  },
  {
    gate: "G5 no run",
    ask: ({ rich }) => ({ body: chat(undefined), key: rich.key }),
    status: 400,
    message: /run_id is missing/,
  },
  {
    gate: "G5 unknown run",
    ask: ({ rich }) => ({ body: chat("no-such-run"), key: rich.key }),
    status: 400,
    message: /no run no-such-run/,
  },
  {
    gate: "G5 somebody else's run",
    ask: ({ rich, runs }) => ({ body: chat(runs.other), key: rich.key }),
    status: 400,
    message: /There is no run/,
  },
  {
    gate: "G5 a run that is over",
    ask: ({ rich, runs }) => ({ body: chat(runs.finished), key: rich.key }),
    status: 400,
    message: /not running: it is completed/,
  },
  {
    gate: "G5 comes before G7",
    ask: ({ poor }) => ({ body: chat("no-such-run"), key: poor.key }),
    status: 400,
    message: /no run/,
  },
  {
    gate: "G6 the week of a subscription without fallback is used up",
    ask: async ({ server }) => {
      const person = await server.person(`week-${Math.random()}@example.com`, 0);
      await subscribe(server, person, { perBlock: 420_000, perWeek: 0 });
      return { body: chat(await server.run(person)), key: person.key };
    },
    status: 429,
    code: "rate_limit_exceeded",
    message: /weekly limit .* resets in 6 days/,
  },
  {
    gate: "G6 the block of a subscription without fallback is used up",
    ask: async ({ server }) => {
      const person = await server.person(`block-${Math.random()}@example.com`, 0);
      await subscribe(server, person, { perBlock: 1000, perWeek: 10_000 });
      const body = chat(await server.run(person));
      await (await server.post("/api/v1/chat/completions", body, { key: person.key })).text();
      return { body, key: person.key };
    },
    status: 429,
    code: "rate_limit_exceeded",
    message: /five-hour limit .* resets in 4 hours/,
  },
  {
    gate: "G7 no credits",
    ask: ({ poor, runs }) => ({ body: chat(runs.poor), key: poor.key }),
    status: 402,
    message: /No credits are left/,
  },
  {
    gate: "G7 free mode off the list is billed like any other",
    ask: ({ poor, runs }) => ({ body: chat(runs.poor, {}, { cost_mode: "free" }), key: poor.key }),
    status: 402,
    message: /No credits are left/,
  },
  {
    gate: "G8 a provider that is off",
    ask: ({ rich, runs }) => ({ body: chat(runs.rich, { model: "openai/gpt-5" }), key: rich.key }),
    status: 503,
    message: /OPENAI_API_KEY/,
  },
];

let world: World;
beforeAll(async () => {
  const server = await startTestServer({
    env: { TRUSTED_PROXIES: "127.0.0.1", OPENAI_API_KEY: "", FIREWORKS_API_KEY: "fw_test_provider_key" },
  });
  const [rich, poor, banned, other] = await Promise.all([
    server.person("rich@example.com", 1000),
    server.person("poor@example.com", 0),
    server.person("banned@example.com", 1000),
    server.person("other@example.com", 1000),
  ]);
  const runs = {
    rich: await server.run(rich),
    poor: await server.run(poor),
    finished: await server.run(rich),
    other: await server.run(other),
  };
  const finish = { action: "FINISH", runId: runs.finished, status: "completed", totalSteps: 0 };
  await server.post("/api/v1/agent-runs", { ...finish, directCredits: 0, totalCredits: 0 }, { key: rich.key });
  await server.database.db.updateTable("user").set({ banned: 1 }).where("id", "=", banned.id).execute();
  world = { server, rich, poor, banned, runs };
});
afterAll(() => world.server.close());

describe.each(table)("$gate", ({ ask, status, code, message }) => {
  it("answers a plain body to our clients", async () => {
    const { body, key, headers } = await ask(world);
    const asked = { key, headers: { ...aiSdk, ...headers, "x-codebuff-client": "sdk" } };
    const response = await world.server.post("/api/v1/chat/completions", body, asked);
    const answer = (await response.json()) as { error?: string; message: string };
    expect([response.status, answer]).toEqual([
      status,
      code === undefined
        ? { message: expect.stringMatching(message) }
        : { error: code, message: expect.stringMatching(message) },
    ]);
  });

  it("answers a nested body to clients of the OpenAI kind", async () => {
    const { body, key, headers } = await ask(world);
    const response = await world.server.post("/api/v1/chat/completions", body, {
      key,
      headers: { ...aiSdk, ...headers },
    });
    const text = expect.stringMatching(message);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { message: text, code: code ?? null }, message: text },
    ]);
  });
});

describe("what passes", () => {
  it("the other header serves as key where there is no Authorization", async () => {
    const { server, rich, runs } = world;
    const response = await server.post("/api/v1/chat/completions", chat(runs.rich), {
      headers: { "x-codebuff-api-key": rich.key },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("[DONE]");
  });

  it("free mode on the list costs nothing, in a country that has it and where nobody knows the country", async () => {
    const { server, poor } = world;
    const run = await server.run(poor, "base-free");
    const body = chat(run, { model: "minimax/minimax-m2" }, { cost_mode: "free" });
    for (const address of ["8.8.8.8", "127.0.0.1"]) {
      const headers = { "x-forwarded-for": address };
      const response = await server.post("/api/v1/chat/completions", body, { key: poor.key, headers });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"cost":0,')]);
    }
    expect(await unitsOf(server.database, poor.id)).toEqual({ balance: 0, held: 0 });
  });

  it("an own key passes G6 and G7, goes to OpenRouter with that key, and costs nothing", async () => {
    const { server, poor, runs } = world;
    const own = "sk-or-v1-the-users-own-key";
    const response = await server.post("/api/v1/chat/completions", chat(runs.poor, { model: "openai/gpt-5" }), {
      key: poor.key,
      headers: { "x-openrouter-api-key": own },
    });
    expect(await response.text()).toContain("[DONE]");
    const seen = server.provider.requests.at(-1);
    expect(seen?.headers.authorization).toBe(`Bearer ${own}`);
    expect(seen?.body.model).toBe("openai/gpt-5");
    expect(JSON.stringify(await server.database.db.selectFrom("message").selectAll().execute())).not.toContain(own);
    expect(server.logged.join()).not.toContain(own);
    expect(await unitsOf(server.database, poor.id)).toEqual({ balance: 0, held: 0 });
  });

  it("a used-up subscription falls back to credits where the account says so", async () => {
    const { server } = world;
    const person = await server.person("fallback@example.com", 100);
    await subscribe(server, person, { perBlock: 1000, perWeek: 0, fallback: 1 });
    const response = await server.chat(person, await server.run(person));
    expect(response.status).toBe(200);
    await response.text();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 100_000 - 2110, held: 0 });
  });

  it("a block pays alone without fallback; what goes beyond it is waived", async () => {
    const { server } = world;
    const person = await server.person("block@example.com", 100);
    await subscribe(server, person, { perBlock: 1000, perWeek: 50_000 });
    const runId = await server.run(person);
    await (await server.chat(person, runId)).text();
    expect(await unitsOf(server.database, person.id)).toEqual({ balance: 100_000, held: 0 });
    const again = await server.chat(person, runId);
    expect([again.status, ((await again.json()) as { error: string }).error]).toEqual([429, "rate_limit_exceeded"]);
  });

  it("all credits held by running requests: 429 with Retry-After; a rate limit per key likewise", async () => {
    const { server } = world;
    const person = await server.person("busy@example.com", 1);
    const db = server.database.db;
    await db.updateTable("credit_account").set({ held: 1000 }).where("owner_id", "=", person.id).execute();
    const response = await server.chat(person, await server.run(person));
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      429,
      "2",
      { error: "credits_held", message: expect.any(String) },
    ]);
    await db.updateTable("credit_account").set({ held: 0 }).where("owner_id", "=", person.id).execute();
  });

  it("nothing of a refused request stays held, and the ledger is whole", async () => {
    const { server } = world;
    const open = await server.database.db
      .selectFrom("credit_hold")
      .select("request_id")
      .where("state", "=", "open")
      .execute();
    expect(open).toEqual([]);
    expect(await audit(server.database)).toEqual([]);
  });
});

it("G2b limits requests per key when configured, over all instances", async () => {
  const server = await startTestServer({ env: { REQUESTS_PER_MINUTE: "3" } });
  try {
    const person = await server.person("fast@example.com", 1000);
    const runId = await server.run(person);
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let n = 0; n < 12 && last === undefined; n++) {
      const response = await server.chat(person, runId);
      statuses.push(response.status);
      if (response.status === 429) last = response;
      else await response.text();
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(await last?.json()).toEqual({ error: "too_many_requests", message: expect.any(String) });
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
});

async function subscribe(
  server: TestServer,
  person: Person,
  { perBlock, perWeek, fallback = 0 }: { perBlock: number; perWeek: number; fallback?: 0 | 1 },
): Promise<void> {
  const { db } = server.database;
  await db.updateTable("user").set({ fallback_to_credits: fallback }).where("id", "=", person.id).execute();
  await db
    .insertInto("subscription")
    .values({
      owner_id: person.id,
      tier: "100",
      started_at: Date.now() - 1000,
      ends_at: never,
      units_per_block: perBlock,
      units_per_week: perWeek,
    })
    .execute();
}
