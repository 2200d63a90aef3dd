import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isLong } from "@muster/chaos";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/database/open.ts";
import { never } from "../../src/database/tables.ts";
import { closeLost } from "../../src/money/calls/leases.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { onBothDatabases } from "../databases.ts";
import { frame, type Provider, startProvider, usageFrame, words } from "../provider.ts";
import { seeded } from "../random.ts";
import { chatBody } from "../test-server.ts";
import { makePeople } from "./make-people.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const accounts = 50;
const requests = isLong ? 2_000 : 500;
const concurrent = isLong ? 100 : 50;
const kills = isLong ? 10 : 3;
const granted = 1_000_000;

onBothDatabases((_open, newUrl) => {
  it(`${requests} streams of ${accounts} accounts with cuts, faults and ${kills} kills: the audit finds nothing, sums are exact`, async () => {
    const databaseUrl = await newUrl();
    const seed = 20_261;
    const random = seeded(seed);
    const { provider, costs } = await startFaultyProvider(seeded(seed + 1));
    const people = await makePeople(databaseUrl, { count: accounts, credits: granted });
    const env = { DATABASE_URL: databaseUrl, OPENROUTER_API_KEY: "sk-or-test", OPENROUTER_BASE_URL: provider.url };
    const agent = new Agent({ keepAlive: true, maxSockets: concurrent });
    let server: ServerProcess = await startServerProcess(["serve", "--port", "0"], env);
    let restarting: Promise<void> | undefined;
    const port = new URL(server.url).port;
    const outcomes = { complete: 0, cut: 0, refused: 0 };
    const completed: string[] = [];

    const killAndStart = async () => {
      await server.kill();
      server = await startServerProcess(["serve", "--port", port], env);
      restarting = undefined;
    };
    let begun = 0;
    let over = 0;
    const worker = async () => {
      while (begun < requests) {
        const n = begun++;
        const { key, runId } = people[random(accounts)] ?? { key: "", runId: "" };
        const answer = await streamOnce({
          port,
          key,
          runId,
          n,
          agent,
          leaveAfter: random(10) < 2 ? random(12) : undefined,
        });
        if (answer.requestId !== undefined && answer.isComplete) completed.push(answer.requestId);
        if (answer.status === undefined) {
          // Nobody there: the server is just being started again.
          begun--;
          await (restarting ?? wait(20));
          continue;
        }
        outcomes[answer.isComplete ? "complete" : answer.status === 200 ? "cut" : "refused"]++;
        if (++over % Math.floor(requests / (kills + 1)) === 0 && restarting === undefined) restarting = killAndStart();
      }
    };
    await Promise.all(Array.from({ length: concurrent }, worker));
    await restarting;
    expect(await server.stop()).toBe(143);
    agent.destroy();
    await provider.close();

    const database = await openDatabase(databaseUrl);
    try {
      await closeLost(database, never - 1);
      expect(await audit(database)).toEqual([]);
      const { db } = database;
      const messages = await db.selectFrom("message").selectAll().execute();
      const spent = messages.reduce((sum, { units }) => sum + units, 0);
      const rows = await db.selectFrom("credit_account").selectAll().execute();
      expect(rows.reduce((sum, { balance }) => sum + balance, 0)).toBe(accounts * granted * 1000 - spent);
      expect(rows.every(({ held }) => held === 0)).toBe(true);
      const told = messages.filter(({ cost_from }) => cost_from === "service");
      for (const { service_id, cost_nano_dollars } of told) expect(cost_nano_dollars).toBe(costs.get(service_id ?? ""));
      expect(new Set(told.map(({ service_id }) => service_id)).size, "each answer is billed once").toBe(told.length);
      const paid = new Map(messages.map(({ id, outcome }) => [id, outcome]));
      expect(
        completed.filter((id) => paid.get(id) !== "completed"),
        "whoever saw the end has paid",
      ).toEqual([]);
      process.stderr.write(`${database.kind}: ${JSON.stringify({ ...outcomes, messages: messages.length, spent })}\n`);
      expect(outcomes.complete).toBeGreaterThan(requests / 4);
      expect(outcomes.cut).toBeGreaterThan(0);
      expect(outcomes.refused).toBeGreaterThan(0);
    } finally {
      await database.close();
    }
  }, 400_000);
});

interface Answer {
  /** Undefined when no answer came at all. */
  readonly status: number | undefined;
  readonly requestId?: string;
  readonly isComplete: boolean;
}

function streamOnce(options: {
  port: string;
  key: string;
  runId: string;
  n: number;
  agent: Agent;
  leaveAfter: number | undefined;
}): Promise<Answer> {
  const { port, key, runId, n, agent, leaveAfter } = options;
  const body = JSON.stringify(chatBody(runId, { messages: [{ role: "user", content: `request ${n}` }] }));
  return new Promise((resolve) => {
    const call = request(
      {
        host: "127.0.0.1",
        port,
        path: "/api/v1/chat/completions",
        method: "POST",
        agent,
        headers: { authorization: `Bearer ${key}`, "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        let text = "";
        let pieces = 0;
        const status = response.statusCode;
        const requestId = response.headers["x-request-id"] as string | undefined;
        const settle = () => resolve({ status, requestId, isComplete: text.includes("data: [DONE]") });
        response.on("data", (chunk) => {
          text += chunk;
          if (leaveAfter !== undefined && ++pieces > leaveAfter) call.destroy();
        });
        response.on("end", settle).on("close", settle).on("error", settle);
      },
    );
    call.on("error", () => resolve({ status: undefined, isComplete: false }));
    call.end(body);
  });
}

/** Answers of random length and cost; some are cut, some refused, some come without a usage. */
async function startFaultyProvider(
  random: (below: number) => number,
): Promise<{ provider: Provider; costs: Map<string, number> }> {
  const costs = new Map<string, number>();
  let count = 0;
  const provider = await startProvider(async (_request, response) => {
    const id = `gen-${++count}`;
    const fault = random(20);
    if (fault === 0) return void response.writeHead(503).end('{"error":{"message":"overloaded"}}');
    if (fault === 1) return void response.destroy();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const pieces = 3 + random(10);
    for (let piece = 0; piece < pieces; piece++) {
      response.write(words(`piece ${piece} `, id));
      if (random(3) === 0) await wait(random(8));
      if (fault === 2 && piece === 2) return void response.destroy();
    }
    const nano = 1000 * (1 + random(40_000));
    if (fault !== 3) {
      costs.set(id, nano);
      response.write(usageFrame({ prompt_tokens: 50, completion_tokens: pieces, cost: nano / 1e9 }, id));
    }
    if (fault === 4) return void response.destroy();
    response.end(frame("[DONE]"));
  });
  return { provider, costs };
}
