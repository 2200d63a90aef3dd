import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { Migration } from "../src/migrate.ts";
import type { PostgresCluster } from "./postgres-cluster.ts";
import { runPostgres } from "./run-postgres.ts";

/** The tables of the tests. */
export interface Words {
  word: { name: string; value: string };
}

export const words: readonly Migration[] = [
  { name: "0001 words", statements: () => ["create table word (name text primary key, value text not null)"] },
];

/** The same tests on SQLite and on PostgreSQL; every call of the given functions is a new empty database. */
export function onBothKinds<Database extends { close(): Promise<void> }>(
  openDatabase: (url: string) => Promise<Database>,
  tests: (open: () => Promise<Database>, newUrl: () => Promise<string>) => void,
): void {
  describe("on SQLite", () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    const newUrl = async () => {
      const folder = mkdtempSync(join(tmpdir(), "muster-sqlite-"));
      folders.push(folder);
      return `sqlite:${join(folder, "file.db")}`;
    };
    tests(opener(openDatabase, newUrl), newUrl);
  });

  describe("on PostgreSQL", () => {
    let cluster: PostgresCluster | undefined;
    beforeAll(async () => {
      cluster = await runPostgres();
    });
    afterAll(() => cluster?.stop());
    const newUrl = async () => {
      if (!cluster) throw new Error("PostgreSQL is not running");
      return cluster.create();
    };
    tests(opener(openDatabase, newUrl), newUrl);
  });
}

function opener<Database extends { close(): Promise<void> }>(
  openDatabase: (url: string) => Promise<Database>,
  newUrl: () => Promise<string>,
): () => Promise<Database> {
  const opened: Database[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });
  return async () => {
    const database = await openDatabase(await newUrl());
    opened.push(database);
    return database;
  };
}
