import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { isLong } from "@muster/chaos";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnPostgres, startPostgres } from "../../../../base/sql/test/postgres-cluster.ts";
import { openDatabase } from "../../src/database/open.ts";
import { never } from "../../src/database/tables.ts";
import { closeLost } from "../../src/money/calls/leases.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { frame, startProvider, usageFrame, words } from "../provider.ts";
import { chatBody } from "../test-server.ts";
import { makePeople } from "./make-people.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** A cluster of its own: the one of the whole run must not be stopped. */
let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 120_000);
afterAll(() => postgres.stop());

const people = 24;
const granted = 100_000;
const awayMs = isLong ? 60_000 : 9_000;

it.each([
  ["a fast restart", "fast", 0],
  ["an immediate restart", "immediate", 0],
  [`being away for ${awayMs / 1000} s`, "fast", awayMs],
] as const)(
  "busy servers survive %s: calls wait or are told 503, and nothing is charged twice",
  async (_, mode, ms) => {
    await fight({ databaseUrl: await postgres.create() }, async () => {
      await postgres.halt(mode);
      await wait(ms);
      await postgres.resume();
    });
  },
  200_000,
);

it("busy servers survive a fail-over to another PostgreSQL at the same address", async () => {
  const url = new URL(await postgres.create());
  const follower = await postgres.follow();
  const address = await switchboard(postgres.port);
  url.port = String(address.port);
  try {
    await fight({ databaseUrl: url.href }, async () => {
      await postgres.halt("immediate");
      // For a moment the address leads to one that only reads.
      address.lead(follower.port);
      await wait(4_000);
      follower.promote();
    });
  } finally {
    address.close();
    await follower.stop();
  }
}, 200_000);

/** Two busy servers while `strike` happens; then all of the books. */
async function fight({ databaseUrl }: { databaseUrl: string }, strike: () => Promise<void>): Promise<void> {
  let answers = 0;
  const cost = 0.001;
  const provider = await startProvider(async (_request, response) => {
    const id = `gen-${++answers}`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let piece = 0; piece < 3; piece++) {
      response.write(words("word ", id));
      await wait(1);
    }
    response.end(usageFrame({ prompt_tokens: 50, completion_tokens: 10, cost }, id) + frame("[DONE]"));
  });
  const callers = await makePeople(databaseUrl, { count: people, credits: granted });
  const env = { DATABASE_URL: databaseUrl, OPENROUTER_API_KEY: "sk-or-test", OPENROUTER_BASE_URL: provider.url };
  const start = () => startServerProcess(["serve", "--port", "0"], env);
  const servers: [ServerProcess, ServerProcess] = [await start(), await start()];
  const seen = { complete: 0, cut: 0, told: 0, after: 0 };
  const completed: string[] = [];
  let isOver = false;
  let isBack = false;
  const work = async ({ key, runId }: { key: string; runId: string }, n: number) => {
    for (let own = 0; !isOver || own < 3; ) {
      const answer = await ask(servers[n % 2]?.url ?? "", key, runId);
      if (answer.status === 503) {
        seen.told++;
        await wait(50);
        continue;
      }
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      if (answer.text.includes("data: [DONE]")) completed.push(answer.requestId);
      seen[answer.text.includes("data: [DONE]") ? "complete" : "cut"]++;
      if (isBack) seen.after++;
      if (isOver) own++;
    }
  };
  const workers = Promise.all(callers.map(work));
  let struck: Promise<void> | undefined;
  try {
    await expect.poll(() => seen.complete, { timeout: 30_000 }).toBeGreaterThan(2 * people);
    struck = strike();
    await Promise.race([struck, workers]);
    isBack = true;
    const until = seen.complete + 2 * people;
    await Promise.race([workers, expect.poll(() => seen.complete, { timeout: 60_000 }).toBeGreaterThan(until)]);
    isOver = true;
    await workers;
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([143, 143]);
  } finally {
    isOver = true;
    await struck;
    await Promise.all(servers.map((server) => server.kill()));
    await provider.close();
  }
  await checkBooks(databaseUrl, completed, Math.round(cost * 1e9));
  process.stderr.write(`${JSON.stringify({ ...seen, asked: answers })}\n`);
}

async function checkBooks(databaseUrl: string, completed: readonly string[], nano: number): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    await closeLost(database, never - 1);
    expect(await audit(database)).toEqual([]);
    const messages = await database.db.selectFrom("message").selectAll().execute();
    const spent = messages.reduce((sum, { units }) => sum + units, 0);
    const accounts = await database.db.selectFrom("credit_account").selectAll().execute();
    expect(accounts.reduce((sum, { balance }) => sum + balance, 0)).toBe(people * granted * 1000 - spent);
    const told = messages.filter(({ cost_from }) => cost_from === "service");
    expect(told.every(({ cost_nano_dollars }) => cost_nano_dollars === nano)).toBe(true);
    expect(new Set(told.map(({ service_id }) => service_id)).size, "each answer is billed once").toBe(told.length);
    const paid = new Set(messages.filter(({ outcome }) => outcome === "completed").map(({ id }) => id));
    expect(
      completed.filter((id) => !paid.has(id)),
      "whoever saw the end has paid",
    ).toEqual([]);
  } finally {
    await database.close();
  }
}

async function ask(url: string, key: string, runId: string) {
  const response = await fetch(`${url}/api/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(chatBody(runId)),
    signal: AbortSignal.timeout(120_000),
  });
  // What was read until a cut is not told by fetch; the head is enough to know that it was one.
  const text = await response.text().catch(() => "");
  return { status: response.status, requestId: response.headers.get("x-request-id") ?? "", text };
}

/** One address whose connections lead to a port that can be changed; those that are open then break. */
async function switchboard(first: number) {
  let port = first;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(port, "127.0.0.1");
    for (const each of [socket, other]) {
      open.add(each);
      each.on("error", () => each.destroy()).on("close", () => open.delete(each));
    }
    socket.on("close", () => other.destroy());
    other.on("close", () => socket.destroy());
    socket.pipe(other).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    lead(to: number) {
      port = to;
      breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
