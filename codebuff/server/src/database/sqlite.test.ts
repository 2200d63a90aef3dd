import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { openDatabase } from "./open.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "codebuff-sqlite-"));
  database = await openDatabase(`sqlite:${join(folder, "codebuff.db")}`);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

it("what is committed together fails alone: the others hold, and nothing of the failed one stays", async () => {
  const add = (name: string, failure?: Error) =>
    database.write(async (connection) => {
      await connection.insertInto("secret").values({ name, value: name }).execute();
      if (failure) throw failure;
      return name;
    });
  const results = await Promise.allSettled([
    add("one"),
    add("two", new Error("no")),
    add("three"),
    add("one"),
    add("four"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
  const rows = await database.db.selectFrom("secret").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(["four", "one", "three"]);
});
