import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PostgresCluster } from "../../../base/sql/test/postgres-cluster.ts";
import { runPostgres } from "../../../base/sql/test/run-postgres.ts";
import { audit } from "../src/money/ledger/audit.ts";
import { frame, twoCents, usageFrame, words } from "./provider.ts";
import { startTestServer, unitsOf } from "./test-server.ts";

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await runPostgres();
});
afterAll(() => cluster?.stop());

it("a locked account: a new call is told to come again, one that is over is settled as soon as it can be", async () => {
  const databaseUrl = await cluster.create();
  let finish: () => void = () => {};
  const server = await startTestServer({
    databaseUrl,
    reply: (_request, response) => {
      response.writeHead(200);
      response.write(words("Hello"));
      finish = () => response.end(usageFrame(twoCents) + frame("[DONE]"));
    },
  });
  const locker = new pg.Client({ connectionString: databaseUrl });
  try {
    const ann = await server.person("ann@example.com", 1000);
    const runId = await server.run(ann);
    const stream = await server.chat(ann, runId);
    await locker.connect();
    await locker.query("begin");
    await locker.query("select 1 from credit_account where owner_id = $1 for update", [ann.id]);
    const refused = await server.chat(ann, runId);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toEqual({ message: expect.stringContaining("busy") });
    finish();
    await expect.poll(() => server.logged.join(), { timeout: 30_000 }).toContain("could not be settled yet");
    await locker.query("rollback");
    expect(await stream.text()).toContain("[DONE]");
    expect(await unitsOf(server.database, ann.id)).toEqual({ balance: 1_000_000 - 2110, held: 0 });
    expect(await audit(server.database)).toEqual([]);
  } finally {
    await locker.end();
    await server.close();
  }
}, 120_000);
