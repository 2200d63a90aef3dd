import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openDatabase } from "../src/database/open.ts";
import { audit } from "../src/money/ledger/audit.ts";
import { createSession } from "../src/people/sessions.ts";
import { frame, type Reply, shortAnswer, twoCents, usageFrame, words } from "./provider.ts";
import { chatBody, type Person, startTestServer, type TestServer, unitsOf } from "./test-server.ts";

let reply: Reply = shortAnswer;
let server: TestServer;
let people = 0;
beforeAll(async () => {
  server = await startTestServer({
    reply: (request, response) => reply(request, response),
    env: { TRUSTED_PROXIES: "127.0.0.1", FIREWORKS_API_KEY: "fw_test_provider_key" },
    times: { banMs: 50, bodyMs: 300, lastWordsMs: 300 },
  });
});
afterAll(() => server.close());
afterEach(async () => {
  reply = shortAnswer;
  await server.server.service.calls.none();
  expect(await audit(server.database)).toEqual([]);
});

const somebody = () => server.person(`p${++people}@example.com`, 1000);
const ban = ({ id }: Person) =>
  server.database.db.updateTable("user").set({ banned: 1 }).where("id", "=", id).execute();

/** The next request to the provider gets a word and then waits for the test. */
function openProvider(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    reply = (_request, response) => {
      response.writeHead(200);
      response.write(words("begin "));
      resolve(response);
    };
  });
}

it("60 logins begun by one client that changes the first entry of X-Forwarded-For: 20 pass", async () => {
  const minute = () => Math.floor(Date.now() / 60_000);
  // A minute that ends in the middle lets more pass: what it let pass shows nothing, and another address begins anew.
  for (let begun = Number.NaN, round = 7; begun !== minute(); round++) {
    begun = minute();
    const address = `203.0.113.${round}`;
    const begin = (n: number) =>
      server.post(
        "/api/auth/cli/code",
        { fingerprintId: `device ${round} ${n}` },
        { headers: { "x-forwarded-for": `6.6.6.${n}, ${address}` } },
      );
    const statuses = (await Promise.all(Array.from({ length: 60 }, (_, n) => begin(n)))).map(({ status }) => status);
    if (begun !== minute()) continue;
    expect(statuses.filter((status) => status === 200).length).toBe(20);
    expect(statuses.filter((status) => status === 429).length).toBe(40);
    const rows = await server.database.db.selectFrom("cli_login").select("address").execute();
    expect(rows.filter((row) => row.address === address)).toHaveLength(20);
    expect(rows.filter((row) => row.address?.startsWith("6.6.6."))).toEqual([]);
  }
});

describe("free mode without any setting", () => {
  const free = (runId: string, more: object = {}) =>
    chatBody(runId, { model: "minimax/minimax-m2", codebuff_metadata: { run_id: runId, cost_mode: "free" }, ...more });
  const headers = { "x-forwarded-for": "8.8.8.8" };

  it("200 calls at once, with two keys of one account: 30 pass, the rest is told when to come again", async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    // A minute that ends in the middle lets more pass: what it let pass shows nothing, and somebody else begins anew.
    for (let begun = Number.NaN, round = 0; begun !== minute(); round++) {
      const person = await server.person(`free${round}@example.com`, 0);
      const name = { userId: person.id, kind: "pat", name: "second", at: Date.now() } as const;
      const { secret } = await createSession(server.database.db, name);
      const body = free(await server.run(person, "base-free"));
      const ask = async (n: number) => {
        const key = n % 2 === 0 ? person.key : secret;
        const response = await server.post("/api/v1/chat/completions", body, { key, headers });
        await response.text();
        return [response.status, Number(response.headers.get("retry-after")) > 0] as const;
      };
      begun = minute();
      const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
      if (begun !== minute()) continue;
      expect(answers.filter(([status]) => status === 200).length).toBe(30);
      expect(answers.filter(([status, isTold]) => status === 429 && isTold).length).toBe(170);
    }
  });

  it("an answer has a length", async () => {
    const person = await server.person("free-long@example.com", 0);
    const body = free(await server.run(person, "base-free"), { max_tokens: 1_000_000 });
    const response = await server.post("/api/v1/chat/completions", body, { key: person.key, headers });
    expect([response.status, await response.json()]).toEqual([400, { message: expect.stringContaining("64000") }]);
  });
});

describe("a ban", () => {
  it("ends a running stream with a word why, and what came is settled", async () => {
    const person = await somebody();
    const provider = openProvider();
    const response = await server.chat(person, await server.run(person));
    const words = response.body?.getReader();
    const closed = once(await provider, "close");
    await words?.read();
    await ban(person);
    await closed;
    let text = "";
    const read = async () => {
      for (let part = await words?.read(); part && !part.done; part = await words?.read()) {
        text += new TextDecoder().decode(part.value);
      }
    };
    await expect(read()).rejects.toThrow();
    expect(text).toContain('"code":"account_suspended"');
    await server.server.service.calls.none();
    const { db } = server.database;
    expect(await db.selectFrom("message").selectAll().where("user_id", "=", person.id).execute()).toMatchObject([
      { outcome: "shut out", cost_from: "estimate" },
    ]);
    expect((await unitsOf(server.database, person.id)).held).toBe(0);
  });

  it("ends a call that has not been answered yet", async () => {
    const person = await somebody();
    const asked = new Promise<ServerResponse>((resolve) => {
      reply = (_request, response) => resolve(response);
    });
    const answer = server.chat(person, await server.run(person), { stream: false });
    await asked;
    await ban(person);
    const response = await answer;
    expect([response.status, await response.json()]).toMatchObject([403, { error: "account_suspended" }]);
  });

  it("leaves the streams of others alone", async () => {
    const [person, other] = [await somebody(), await somebody()];
    const provider = openProvider();
    const response = await server.chat(other, await server.run(other));
    const open = await provider;
    const second = openProvider();
    const banned = await server.chat(person, await server.run(person));
    await second;
    await ban(person);
    await expect(banned.text()).rejects.toThrow();
    open.end(usageFrame(twoCents) + frame("[DONE]"));
    expect(await response.text()).toContain("[DONE]");
  });

  it("starts nothing: no run, no key, no search, no call, no agent", async () => {
    const person = await somebody();
    const runId = await server.run(person);
    await ban(person);
    const { key } = person;
    for (const [path, body] of [
      ["/api/v1/agent-runs", { action: "START", agentId: "base2" }],
      ["/api/v1/api-keys", { name: "another" }],
      ["/api/v1/web-search", { query: "x" }],
      ["/api/v1/docs-search", { libraryTitle: "x", topic: "x" }],
      ["/api/agents/publish", { data: [] }],
      ["/api/v1/chat/completions", chatBody(runId)],
    ] as const) {
      const response = await server.post(path, body, { key });
      expect([path, response.status, await response.json()]).toMatchObject([path, 403, { error: "account_suspended" }]);
    }
    const runs = await server.database.db
      .selectFrom("agent_run")
      .select("id")
      .where("user_id", "=", person.id)
      .execute();
    expect(runs).toEqual([{ id: runId }]);
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/v1/agent-mode`, {
      headers: { authorization: `Bearer ${key}` },
    });
    socket.on("error", () => {});
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(answer.statusCode).toBe(403);
  });

  it("reaches a socket that is open: its next message begins nothing and it is closed", async () => {
    const person = await somebody();
    const headers = { authorization: `Bearer ${person.key}` };
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/v1/agent-mode`, { headers });
    await once(socket, "open");
    await ban(person);
    const [message, closed] = [once(socket, "message"), once(socket, "close")];
    socket.send(JSON.stringify({ type: "agent_initial_prompt", task: "go", sessionId: "s", seq: 1, agentState: {} }));
    expect(JSON.parse(String((await message)[0]))).toMatchObject({ type: "agent_error", code: "account_suspended" });
    expect((await closed)[0]).toBe(4403);
    const { db } = server.database;
    for (const table of ["agent_mode_state", "agent_run"] as const) {
      expect(await db.selectFrom(table).selectAll().where("user_id", "=", person.id).execute()).toEqual([]);
    }
  });
});

it.each([
  "/api/v1/agent-runs",
  "/api/v1/agent-runs/x/steps",
  "/api/v1/web-search",
  "/api/v1/docs-search",
  "/api/v1/feedback",
  "/api/v1/api-keys",
  "/api/v1/usage",
  "/api/agents/publish",
])("%s asks for a key before it says a word about a body", async (path) => {
  for (const body of ["{", "{}", '{"depth":7}', "x".repeat(1000)]) {
    for (const key of [undefined, "cb-pat-wrong"]) {
      const response = await server.post(path, body, { key });
      expect([response.status, await response.text()]).toEqual([401, expect.stringContaining("API key")]);
    }
  }
});

describe("a body that drips", () => {
  it.each([
    ...["/api/v1/chat/completions", "/api/v1/agent-runs", "/api/v1/usage", "/api/v1/feedback", "/api/v1/token-count"],
    ...["/api/auth/cli/code", "/login/session", "/login/decision", "/api/v1/nowhere", "/api/healthz", "/metrics"],
  ])(
    "to %s ends with its connection, with a key and without",
    async (path) => {
      const person = await somebody();
      for (const key of [person.key, "none"]) {
        const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
        socket.on("error", () => {}).resume();
        const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-length: 9999\r\n\r\n{`;
        socket.write(head);
        const drip = setInterval(() => socket.write(" "), 20);
        await new Promise((resolve) => socket.once("close", resolve));
        clearInterval(drip);
      }
    },
    // Node's own limit for a request is a minute.
    40_000,
  );
});

it.each(["/api/v1/agent-runs/any/steps", "/api/v1/docs-search", "/api/agents/publish", "/api/v1/agent-runs"])(
  "%s asks for a key before it says a word about the body",
  async (path) => {
    for (const body of ["", "{}", "no JSON", "[1]", '{"stepNumber":"x"}', '{"data":[{}]}']) {
      const answer = await server.post(path, body, { key: undefined });
      expect([body, answer.status]).toEqual([body, 401]);
      expect(await answer.text()).not.toMatch(/expected|invalid_type|stepNumber|libraryTitle|displayName|JSON/i);
    }
  },
);

it.each([
  ["evil.example", /^http:\/\/127\.0\.0\.1:\d+\/login/],
  ["evil.example:8787", /^http:\/\/127\.0\.0\.1:\d+\/login/],
  ["127.0.0.1.evil.example", /^http:\/\/127\.0\.0\.1:\d+\/login/],
  // Refused: no such Host.
  ["localhost@evil.example", /^$/],
  ["localhost:9000", /^http:\/\/localhost:9000\/login/],
  ["127.0.0.1:9000", /^http:\/\/127\.0\.0\.1:9000\/login/],
])("the link of a login does not follow a made-up Host: %s", async (host, expected) => {
  const one = await startTestServer();
  try {
    const socket = connect(Number(new URL(one.url).port), "127.0.0.1");
    const body = '{"fingerprintId":"x"}';
    const head = `POST /api/auth/cli/code HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-proto: https\r\nconnection: close`;
    socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    let text = "";
    for await (const bytes of socket) text += bytes;
    expect(/"loginUrl":"([^"]+)"/.exec(text)?.[1] ?? "").toMatch(expected);
  } finally {
    await one.close();
  }
});

it("the files of SQLite are their owner's alone, also one that was made before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "codebuff-modes-"));
  const before = process.umask(0);
  try {
    const path = join(folder, "codebuff.db");
    for (const round of [1, 2]) {
      const database = await openDatabase(`sqlite:${path}`);
      await database.db
        .insertInto("secret")
        .values({ name: `${round}`, value: "x" })
        .execute();
      const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
      expect(modes.map(([name]) => name)).toContain("codebuff.db-wal");
      expect(modes.filter(([, mode]) => mode !== "600")).toEqual([]);
      await database.close();
      chmodSync(path, 0o644);
    }
  } finally {
    process.umask(before);
    rmSync(folder, { recursive: true, force: true });
  }
});
