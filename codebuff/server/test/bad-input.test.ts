import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audit } from "../src/money/ledger/audit.ts";
import { type Person, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let ann: Person;
let eve: Person;
let annRun: string;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person("ann@example.com", 1000);
  eve = await server.person("eve@example.com", 1000);
  annRun = await server.run(ann);
});
afterAll(() => server.close());

/** Every endpoint that takes a body, and a body that would be good. */
const endpoints: readonly { path: string; good: (runId: string) => object; isOpen?: true; takesAnything?: true }[] = [
  {
    path: "/api/v1/chat/completions",
    good: (run_id) => ({ model: "a/b", messages: [{}], codebuff_metadata: { run_id } }),
  },
  { path: "/api/v1/agent-runs", good: () => ({ action: "START", agentId: "x" }) },
  { path: "/api/v1/agent-runs/RUN/steps", good: () => ({ stepNumber: 1, status: "completed" }) },
  { path: "/api/v1/token-count", good: () => ({ messages: [] }) },
  { path: "/api/v1/web-search", good: () => ({ query: "x" }) },
  { path: "/api/v1/docs-search", good: () => ({ libraryTitle: "x", topic: "y" }) },
  { path: "/api/v1/feedback", good: () => ({ text: "good" }), takesAnything: true },
  { path: "/api/v1/api-keys", good: () => ({ name: "x" }) },
  {
    path: "/api/agents/publish",
    good: () => ({ data: [{ id: "x", displayName: "X", model: "a/b", publisher: "p" }] }),
  },
  { path: "/api/auth/cli/code", good: () => ({ fingerprintId: "x" }), isOpen: true },
  { path: "/api/auth/cli/logout", good: () => ({ authToken: "x" }), isOpen: true },
];

async function everything({ database: { db } } = server): Promise<string> {
  const tables = [
    "user",
    "session",
    "credit_account",
    "credit_grant",
    "credit_hold",
    "credit_entry",
    "agent_run",
  ] as const;
  const more = ["agent_step", "message", "agent_config", "feedback", "cli_login"] as const;
  const rows = await Promise.all([...tables, ...more].map((table) => db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows, (key, value) => (key === "version" ? undefined : value));
}

describe.each(endpoints)("POST $path", ({ path: pattern, good, isOpen, takesAnything }) => {
  const path = () => pattern.replace("RUN", annRun);
  const wrongTypes = () =>
    Object.entries(good(annRun)).map(([name, value]) => ({
      ...good(annRun),
      [name]: Array.isArray(value) ? 7 : [value, 7],
    }));

  it("broken JSON, wrong types and nonsense are 400 and change nothing", async () => {
    const before = await everything();
    const bodies = [
      "",
      "{",
      "null",
      "[]",
      '"text"',
      `${"[".repeat(5000)}${"]".repeat(5000)}`,
      ...(takesAnything ? [] : wrongTypes()),
    ];
    for (const body of bodies) {
      const response = await server.post(path(), body, { key: ann.key });
      expect([response.status, typeof ((await response.json()) as { message: string }).message]).toEqual([
        400,
        "string",
      ]);
    }
    expect(await everything()).toBe(before);
  });

  it("20 MB are 413, and the answer comes though the body was not read", async () => {
    const response = await server.post(path(), JSON.stringify({ text: "x".repeat(20 * 1024 * 1024) }), {
      key: ann.key,
    });
    expect(response.status).toBe(413);
  });

  if (isOpen) return;
  it("without a key, with a wrong one and with SQL in it is 401", async () => {
    const before = await everything();
    for (const key of [undefined, "wrong", "' or 1=1 --", "x".repeat(5000)]) {
      const response = await server.post(path(), good(annRun), { key });
      expect(response.status).toBe(401);
    }
    expect(await everything()).toBe(before);
  });
});

describe("what belongs to somebody else", () => {
  it("a run: no call, no step, no end", async () => {
    const before = await everything();
    expect((await server.chat(eve, annRun)).status).toBe(400);
    const step = { stepNumber: 1, status: "completed" };
    expect((await server.post(`/api/v1/agent-runs/${annRun}/steps`, step, { key: eve.key })).status).toBe(403);
    expect((await server.post("/api/v1/agent-runs/nothing/steps", step, { key: eve.key })).status).toBe(404);
    const finish = {
      action: "FINISH",
      runId: annRun,
      status: "failed",
      totalSteps: 0,
      directCredits: 0,
      totalCredits: 0,
    };
    expect((await server.post("/api/v1/agent-runs", finish, { key: eve.key })).status).toBe(404);
    expect(await everything()).toBe(before);
  });

  it("a key: not seen, not ended", async () => {
    const made = (await (await server.post("/api/v1/api-keys", { name: "mine" }, { key: ann.key })).json()) as {
      id: string;
    };
    const list = await server.post("/api/v1/api-keys", undefined, { key: eve.key, method: "GET" });
    expect(JSON.stringify(await list.json())).not.toContain(made.id);
    const asEve = await server.post(`/api/v1/api-keys/${made.id}`, undefined, { key: eve.key, method: "DELETE" });
    expect(asEve.status).toBe(404);
    const asAnn = await server.post(`/api/v1/api-keys/${made.id}`, undefined, { key: ann.key, method: "DELETE" });
    expect(asAnn.status).toBe(200);
  });

  it("a publisher: nothing is published in its name", async () => {
    await server.database.db
      .insertInto("publisher")
      .values({ id: "anns", name: "Ann", user_id: ann.id, created_at: 0 })
      .execute();
    const agent = { id: "helper", displayName: "Helper", model: "a/b", publisher: "anns" };
    const publish = (key: string, data: object[]) => server.post("/api/agents/publish", { data }, { key });
    expect((await publish(eve.key, [agent])).status).toBe(403);
    expect((await publish(ann.key, [{ ...agent, publisher: "nobodys" }])).status).toBe(400);
    expect((await publish(ann.key, [{ ...agent, model: "no slash" }])).status).toBe(400);
    const lost = { ...agent, toolNames: ["spawn_agents"], spawnableAgents: ["missing"] };
    expect((await publish(ann.key, [lost])).status).toBe(400);
    expect(await (await publish(ann.key, [agent])).json()).toMatchObject({
      agents: [{ id: "helper", version: "0.0.1" }],
    });
    expect(await (await publish(ann.key, [agent])).json()).toMatchObject({
      agents: [{ id: "helper", version: "0.0.2" }],
    });
    expect((await publish(ann.key, [{ ...agent, version: "0.0.2" }])).status).toBe(409);
    const get = (path: string) => server.post(path, undefined, { key: eve.key, method: "GET" });
    expect(await (await get("/api/v1/agents/anns/helper/latest")).json()).toMatchObject({ version: "0.0.2" });
    expect(await (await get("/api/v1/agents/anns/helper/0.0.1")).json()).toMatchObject({ data: { id: "helper" } });
    expect((await get("/api/v1/agents/anns/helper/9.9.9")).status).toBe(404);
    expect(await (await get("/api/v1/agents?publisher=anns&q=help")).json()).toMatchObject({
      agents: [{ publisher: "anns", id: "helper", version: "0.0.2", displayName: "Helper" }],
    });
    expect(await (await get("/api/v1/agents?q=%27%3B--")).json()).toEqual({ agents: [] });
  });
});

describe("the other endpoints", () => {
  const get = (path: string, key?: string) => server.post(path, undefined, { key, method: "GET" });

  it("me: every field asked for, and 400 for one that is not there", async () => {
    expect(await (await get("/api/v1/me?fields=id,email,banned", ann.key)).json()).toEqual({
      id: ann.id,
      email: "ann@example.com",
      banned: false,
    });
    expect((await get("/api/v1/me?fields=id,password", ann.key)).status).toBe(400);
    expect((await get("/api/v1/me?fields=constructor", ann.key)).status).toBe(400);
    expect((await get("/api/v1/me")).status).toBe(401);
  });

  it("a repeated FINISH and a repeated step are answered alike and change nothing", async () => {
    const runId = await server.run(ann);
    const step = (number: number, credits: number) =>
      server.post(
        `/api/v1/agent-runs/${runId}/steps`,
        { stepNumber: number, credits, status: "completed" },
        { key: ann.key },
      );
    const [one, again] = [await (await step(1, 2)).json(), await (await step(1, 99)).json()];
    expect(again).toEqual(one);
    const finish = (status: string) =>
      server.post(
        "/api/v1/agent-runs",
        { action: "FINISH", runId, status, totalSteps: 1, directCredits: 2, totalCredits: 2 },
        { key: ann.key },
      );
    expect(await (await finish("completed")).json()).toEqual({ success: true });
    expect(await (await finish("failed")).json()).toEqual({ success: true });
    const row = await server.database.db.selectFrom("agent_run").selectAll().where("id", "=", runId).executeTakeFirst();
    expect(row).toMatchObject({ status: "completed", total_credits: 2 });
  });

  it("JSON as text/plain is read; search without a provider is 501; usage tells the balance", async () => {
    const headers = { "content-type": "text/plain;charset=UTF-8" };
    const body = { action: "START", agentId: "publisher/name@1.2.3", ancestorRunIds: [annRun] };
    const { runId } = (await (await server.post("/api/v1/agent-runs", body, { key: ann.key, headers })).json()) as {
      runId: string;
    };
    const row = await server.database.db.selectFrom("agent_run").selectAll().where("id", "=", runId).executeTakeFirst();
    expect(row).toMatchObject({
      publisher: "publisher",
      agent_name: "name",
      agent_version: "1.2.3",
      parent_run_id: annRun,
    });
    expect((await server.post("/api/v1/web-search", { query: "x" }, { key: ann.key })).status).toBe(501);
    const usage = await server.post("/api/v1/usage", {}, { key: ann.key });
    expect(await usage.json()).toMatchObject({ remainingBalance: 1000, heldCredits: 0, block: null });
    const counted = await server.post(
      "/api/v1/token-count",
      { messages: [{ content: "x".repeat(3000) }] },
      { key: ann.key },
    );
    expect(((await counted.json()) as { inputTokens: number }).inputTokens).toBeGreaterThan(900);
  });

  it("unknown paths are 404, metrics are counted, huge headers are refused", async () => {
    expect((await get("/nothing/here", ann.key)).status).toBe(404);
    expect((await get("/api/v1/agent-runs", ann.key)).status).toBe(404);
    expect(await (await get("/metrics")).text()).toMatch(/codebuff_requests_total\{.*\} \d+/);
    const through = { "x-forwarded-for": "8.8.8.8" };
    expect((await server.post("/metrics", undefined, { method: "GET", headers: through })).status).toBe(401);
    const huge = await server.post("/api/v1/me", undefined, {
      method: "GET",
      headers: { "x-huge": "x".repeat(40_000) },
    });
    expect(huge.status).toBe(431);
  });
});

it("a body that does not come is 408 on every endpoint that reads one, and nothing has changed", async () => {
  const hasty = await startTestServer({ times: { bodyMs: 100 } });
  try {
    const bea = await hasty.person("bea@example.com", 1000);
    const runId = await hasty.run(bea);
    const before = await everything(hasty);
    const paths = [...endpoints.map(({ path }) => path.replace("RUN", runId)), "/login/session", "/login/decision"];
    const answers = await Promise.all(
      paths.map((path) =>
        sendSlowly(hasty.url, [`POST ${path} HTTP/1.1`, "host: 127.0.0.1", `authorization: Bearer ${bea.key}`]),
      ),
    );
    expect(answers).toEqual(paths.map(() => "HTTP/1.1 408"));
    expect(await everything(hasty)).toBe(before);
    expect(hasty.provider.requests).toEqual([]);
    expect(await audit(hasty.database)).toEqual([]);
  } finally {
    await hasty.close();
  }
});

/** Sends a head and one byte of the hundred it promises. Resolves to the beginning of the answer. */
async function sendSlowly(url: string, head: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    socket.write(`${head.join("\r\n")}\r\ncontent-length: 100\r\n\r\n{`);
    const [data] = (await once(socket, "data")) as [Buffer];
    return String(data).slice(0, 12);
  } finally {
    socket.destroy();
  }
}

it("after all of this the ledger is whole and nobody paid", async () => {
  expect(await audit(server.database)).toEqual([]);
  const accounts = await server.database.db.selectFrom("credit_account").selectAll().execute();
  expect(accounts.map(({ balance, held }) => [balance, held])).toEqual([
    [1_000_000, 0],
    [1_000_000, 0],
  ]);
});
