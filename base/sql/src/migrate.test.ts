import { afterAll, beforeAll, expect, it } from "vitest";
import { type Words, words } from "../test/databases.ts";
import type { PostgresCluster } from "../test/postgres-cluster.ts";
import { runPostgres } from "../test/run-postgres.ts";
import { openDatabase } from "./open-database.ts";

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await runPostgres();
});
afterAll(() => cluster.stop());

// The same on a SQLite file needs processes of its own: see codebuff/server/test/command.test.ts.
it("any number of instances may start at once on a new PostgreSQL database", async () => {
  const url = await cluster.create();
  const databases = await Promise.all(Array.from({ length: 12 }, () => openDatabase<Words>(url, words)));
  for (const { db } of databases) expect(await db.selectFrom("word").selectAll().execute()).toEqual([]);
  for (const database of databases) await database.close();
});

it("another kind of address is refused", async () => {
  await expect(openDatabase("mysql://127.0.0.1/x", words)).rejects.toThrow("DATABASE_URL must be");
});
