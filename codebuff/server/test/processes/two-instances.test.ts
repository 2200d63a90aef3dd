import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PostgresCluster } from "../../../../base/sql/test/postgres-cluster.ts";
import { runPostgres } from "../../../../base/sql/test/run-postgres.ts";
import { openDatabase } from "../../src/database/open.ts";
import { never } from "../../src/database/tables.ts";
import { closeLost } from "../../src/money/calls/leases.ts";
import { audit } from "../../src/money/ledger/audit.ts";
import { createSession } from "../../src/people/sessions.ts";
import { createUser } from "../../src/people/users.ts";
import { AgentClient } from "../agent-client.ts";
import { frame, startProvider, twoCents, usageFrame, words } from "../provider.ts";
import { chatBody } from "../test-server.ts";
import { startServerProcess } from "./server-process.ts";

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await runPostgres();
});
afterAll(() => cluster.stop());

const commands = 4;

it("two instances on one PostgreSQL, one killed in the middle: streams and agent tasks go on with the other", async () => {
  const databaseUrl = await cluster.create();
  const provider = await startProvider(async (request, response) => {
    const messages = request.body.messages as { role: string }[];
    const said = messages.filter(({ role }) => role === "assistant").length;
    const isAgent = JSON.stringify(messages[0]).includes("run_terminal_command");
    response.writeHead(200);
    for (const letter of isAgent ? agentWords(said) : "A stream of words") {
      response.write(words(letter));
      await wait(3);
    }
    response.end(usageFrame(twoCents) + frame("[DONE]"));
  });
  const env = { DATABASE_URL: databaseUrl, OPENROUTER_API_KEY: "sk-or-test", OPENROUTER_BASE_URL: provider.url };
  const one = await startServerProcess(["serve", "--port", "0"], env);
  const other = await startServerProcess(["serve", "--port", "0"], env);
  const database = await openDatabase(databaseUrl);
  try {
    let isDead = false;
    let executions = 0;
    const begun = new Set<number>();
    let killed: Promise<void> | undefined;
    const kill = () => {
      isDead = true;
      killed ??= one.kill();
      return killed;
    };
    const tasks = Array.from({ length: 6 }, async (_, n) => {
      const key = await newPerson(database, `agent${n}@example.com`);
      const client = new AgentClient({
        url: () => (isDead || n % 2 === 1 ? other.url : one.url),
        key,
        sessionId: `task-${n}`,
        run: async () => {
          executions++;
          if (n % 2 === 0) begun.add(n);
          // T-3: the server dies between its request and the tool response. A run that it has not answered once is begun anew by
          // the other, so first each of its tasks has had an answer.
          if (n % 2 === 0 && begun.size === 3 && executions >= 8) await kill();
          return "done";
        },
      });
      const end = await client.work("four commands");
      client.close();
      return { end, executed: client.executed };
    });
    const streams = Array.from({ length: 20 }, async (_, n) => {
      const key = await newPerson(database, `stream${n}@example.com`);
      for (let round = 0; round < 3; round++) {
        while (!(await streamOnce(isDead || n % 2 === 1 ? other.url : one.url, key))) await wait(20);
      }
    });
    for (const { end, executed } of await Promise.all(tasks)) {
      expect(end).toMatchObject({ type: "completed", ended: true });
      expect(executed).toHaveLength(commands);
      expect(new Set(executed).size, "no tool runs twice").toBe(commands);
    }
    await Promise.all(streams);
    expect(isDead).toBe(true);
    await other.stop();
    await closeLost(database, never - 1);
    expect(await audit(database)).toEqual([]);
    const runs = await database.db
      .selectFrom("agent_run")
      .select("status")
      .where("agent_id", "=", "agent-mode")
      .execute();
    expect(runs.every(({ status }) => status === "completed")).toBe(true);
  } finally {
    await one.kill();
    await other.kill();
    await database.close();
    await provider.close();
  }
});

function agentWords(said: number): string {
  if (said >= commands) return "Done.\n<end_turn></end_turn>";
  return `Step ${said}.\n<run_terminal_command>\n<command>echo ${said}</command>\n</run_terminal_command>`;
}

async function newPerson(database: Awaited<ReturnType<typeof openDatabase>>, email: string): Promise<string> {
  const at = Date.now();
  const { id } = await createUser(database, { email, credits: 10_000, freeCreditsPerMonth: 0, at });
  return (await createSession(database.db, { userId: id, kind: "pat", name: "test", at })).secret;
}

/** False when the answer was not complete: the client asks again. */
async function streamOnce(url: string, key: string): Promise<boolean> {
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) });
  try {
    const { runId } = (await (await post("/api/v1/agent-runs", { action: "START", agentId: "base2" })).json()) as {
      runId: string;
    };
    return (await (await post("/api/v1/chat/completions", chatBody(runId))).text()).includes("data: [DONE]");
  } catch {
    return false;
  }
}
