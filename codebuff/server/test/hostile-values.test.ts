import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../src/app.ts";
import { chatPath } from "../src/completions/chat-route.ts";
import { audit } from "../src/money/ledger/audit.ts";
import { onBothDatabases } from "./databases.ts";
import { type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

/** Texts and numbers that one database or the other takes badly. */
const nasty = [
  "\0",
  "a\0b",
  '\'; drop table "user"; --',
  "\ud800",
  "%00",
  "../../etc/passwd",
  "x".repeat(5000),
  -1,
  2 ** 31,
  2 ** 53,
  1e308,
  0.5,
  "NaN",
  null,
  {},
  [],
] as const;

/** A good body for every route that takes one; the test says when a route is missing here. */
const bodies: Readonly<Record<string, (runId: string) => Record<string, unknown>>> = {
  "/api/v1/agent-runs": () => ({ action: "START", agentId: "base2", ancestorRunIds: [] }),
  "/api/v1/agent-runs/:id/steps": () => ({
    stepNumber: 1,
    status: "completed",
    credits: 1,
    messageId: "m",
    childRunIds: ["r"],
    errorMessage: "e",
    startTime: "2026-01-01T00:00:00Z",
  }),
  "/api/v1/token-count": () => ({ messages: [], system: "s", tools: [] }),
  "/api/v1/usage": () => ({}),
  "/api/v1/web-search": () => ({ query: "q", depth: "standard" }),
  "/api/v1/docs-search": () => ({ libraryTitle: "l", topic: "t", maxTokens: 100 }),
  "/api/v1/feedback": () => ({ text: "good" }),
  "/api/v1/api-keys": () => ({ name: "n", expiresAt: "2090-01-01T00:00:00Z" }),
  "/api/agents/publish": () => ({
    data: [{ id: "x", displayName: "X", model: "a/b", publisher: "p", version: "1.0.0" }],
    allLocalAgentIds: ["x"],
  }),
  "/api/auth/cli/code": () => ({ fingerprintId: "f", showsCode: true }),
  "/api/auth/cli/logout": () => ({ authToken: "t" }),
  "/api/v1/chat/completions": (run_id) => ({
    model: "vendor/model",
    stream: true,
    max_tokens: 10,
    n: 1,
    messages: [{ role: "user", content: "Hi" }],
    codebuff_metadata: { run_id, client_id: "c", cost_mode: "normal", n: 1 },
  }),
};

onBothDatabases((_open, newUrl) => {
  let server: TestServer;
  let ann: Person;
  let runId: string;
  beforeAll(async () => {
    server = await startTestServer({ databaseUrl: await newUrl() });
    ann = await server.person("ann@example.com", 1_000_000);
    runId = await server.run(ann);
  });
  afterAll(() => server?.close());

  const routes = () =>
    createApp(server.server.service).routes.filter(
      ({ method, path }) => method !== "ALL" && !path.startsWith("/login"),
    );

  it("every value of every body of every route may be nonsense: never a broken server", async () => {
    const ofTheFramework = routes().filter(({ method }) => method === "POST");
    const posts = [...new Set([chatPath, ...ofTheFramework.map(({ path }) => path)])];
    expect(posts.sort()).toEqual(Object.keys(bodies).sort());
    for (const path of posts) {
      const good = bodies[path]?.(runId) ?? {};
      const send = async (body: unknown) => {
        const response = await server.post(path.replace(":id", runId), body, { key: ann.key });
        await response.text();
        const isBroken = response.status >= 500 && response.status !== 501;
        return isBroken ? [`${path} ${JSON.stringify(body).slice(0, 200)}: ${response.status}`] : [];
      };
      expect((await Promise.all([good, ...spoil(good)].map(send))).flat()).toEqual([]);
    }
    await server.server.service.calls.none();
    expect(await audit(server.database)).toEqual([]);
    expect(await unitsOf(server.database, ann.id)).toMatchObject({ held: 0 });
  });

  it("every part of every path and every query too", async () => {
    const values = nasty.flatMap((text) =>
      typeof text === "string" && text !== "\ud800" ? encodeURIComponent(text) : [],
    );
    for (const { method, path } of routes().filter((route) => route.method !== "POST")) {
      const send = async (value: string) => {
        const query = `fields=${value}&q=${value}&publisher=${value}&fingerprintId=${value}&fingerprintHash=${value}`;
        const target = `${path.replaceAll(/:\w+/g, value)}?${query}`;
        const response = await server.post(target, undefined, { key: ann.key, method });
        await response.text();
        return response.status >= 500 ? [`${method} ${target.slice(0, 200)}: ${response.status}`] : [];
      };
      expect((await Promise.all(values.map(send))).flat()).toEqual([]);
    }
  });

  it("names that a database cannot hold do not keep a call from being paid", async () => {
    const before = await unitsOf(server.database, ann.id);
    const metadata = { codebuff_metadata: { run_id: runId, client_id: "a\0b" } };
    expect(await (await server.chat(ann, runId, metadata)).text()).toContain("[DONE]");
    await server.server.service.calls.none();
    expect(await unitsOf(server.database, ann.id)).toEqual({ balance: before.balance - 2110, held: 0 });
  });

  it("a suspended account makes no keys and publishes nothing", async () => {
    const bob = await server.person("bob@example.com");
    await server.database.db.updateTable("user").set({ banned: 1 }).where("id", "=", bob.id).execute();
    for (const path of ["/api/v1/api-keys", "/api/agents/publish"]) {
      const response = await server.post(path, bodies[path]?.(runId), { key: bob.key });
      expect([response.status, await response.json()]).toMatchObject([403, { error: "account_suspended" }]);
    }
  });
});

/** The same body again and again, each time with one value replaced, also deep inside. */
function spoil(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [...nasty];
  const deeper = Object.entries(value).flatMap(([name, inner]) =>
    spoil(inner).map((broken) =>
      Array.isArray(value)
        ? value.map((item, at) => (String(at) === name ? broken : item))
        : { ...value, [name]: broken },
    ),
  );
  return Array.isArray(value) ? [...deeper, ...nasty] : deeper;
}
