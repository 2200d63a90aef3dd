import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import type { Database } from "../src/database/tables.ts";
import { createSession } from "../src/people/sessions.ts";
import { createUser } from "../src/people/users.ts";
import { type CodebuffServer, startServer } from "../src/server.ts";
import type { Times } from "../src/service.ts";
import { type Provider, type Reply, shortAnswer, startProvider } from "./provider.ts";

export interface Person {
  readonly id: string;
  readonly key: string;
}

export interface TestServer {
  readonly url: string;
  readonly server: CodebuffServer;
  readonly database: Database;
  readonly provider: Provider;
  readonly logged: string[];
  person(email: string, credits?: number): Promise<Person>;
  run(person: Person, agentId?: string): Promise<string>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<Response>;
  chat(person: Person, runId: string, more?: object, options?: RequestOptions): Promise<Response>;
  close(): Promise<void>;
}

interface RequestOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly method?: string;
}

/** A real server on a port of its own, with a provider that a test scripts. */
export async function startTestServer(
  options: { reply?: Reply; env?: NodeJS.ProcessEnv; databaseUrl?: string; times?: Partial<Times> } = {},
): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "codebuff-server-"));
  const provider = await startProvider(options.reply ?? shortAnswer);
  const logged: string[] = [];
  const config = readConfig({
    PORT: "0",
    CODEBUFF_SERVER_DATA: folder,
    DATABASE_URL: options.databaseUrl,
    OPENROUTER_API_KEY: "sk-or-test-provider-key",
    OPENROUTER_BASE_URL: provider.url,
    OPENAI_API_KEY: "sk-test-provider-key",
    OPENAI_BASE_URL: provider.url,
    FIREWORKS_BASE_URL: provider.url,
    ...options.env,
  });
  const log = (level: string, message: string, fields: object = {}) => {
    logged.push(JSON.stringify({ level, message, ...fields }));
  };
  const server = await startServer({ config, log, times: options.times, env: options.env });
  const { database } = server.service;

  const post: TestServer["post"] = (path, body, { key, headers, signal, method = "POST" } = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body:
        method === "GET" || method === "DELETE" ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      signal,
    });
  return {
    url: server.url,
    server,
    database,
    provider,
    logged,
    post,
    async person(email, credits = 1000) {
      const at = Date.now();
      const { id } = await createUser(database, { email, credits, freeCreditsPerMonth: 0, at });
      const { secret } = await createSession(database.db, { userId: id, kind: "pat", name: "test", at });
      return { id, key: secret };
    },
    async run({ key }, agentId = "base2") {
      const response = await post("/api/v1/agent-runs", { action: "START", agentId }, { key });
      return ((await response.json()) as { runId: string }).runId;
    },
    chat: ({ key }, runId, more = {}, request = {}) =>
      post("/api/v1/chat/completions", chatBody(runId, more), { key, ...request }),
    async close() {
      await server.close(0);
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function chatBody(runId: string, more: object = {}): object {
  return {
    model: "anthropic/claude-sonnet-4.5",
    stream: true,
    max_tokens: 1000,
    messages: [{ role: "user", content: "Hi" }],
    codebuff_metadata: { run_id: runId, client_id: "test" },
    ...more,
  };
}

/** Credits left and held, in units. */
export async function unitsOf({ db }: Database, ownerId: string): Promise<{ balance: number; held: number }> {
  return db
    .selectFrom("credit_account")
    .select(["balance", "held"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
}
