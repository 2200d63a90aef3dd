import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import type { Connection, Tables } from "./tables.ts";

interface Work {
  run(connection: Connection): Promise<void>;
  settle(error?: unknown): void;
}

/** More in one commit would let the first wait for the last. */
const mostTogether = 100;

export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(await openSqliteFile(path)) });
  const waiting: Work[] = [];
  let isWriting = false;

  const commit = <Result>(work: (connection: Connection) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      let done: () => void = () => {};
      waiting.push({
        run: async (connection) => {
          const result = await work(connection);
          done = () => resolve(result);
        },
        settle: (error) => (error === undefined ? done() : reject(error)),
      });
      if (!isWriting) void writeAll();
    });
  return {
    kind: "sqlite",
    db,
    transaction: (_ownerId, work) => commit(work),
    write: commit,
    close: () => db.destroy(),
  };

  /** A commit waits for the disk. Whatever came while it waited is committed together: 200 starts wait once, not 200 times. */
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Whoever asks in this tick belongs to the same commit.
      await Promise.resolve();
      await writeGroup(db, waiting.splice(0, mostTogether));
    }
    isWriting = false;
  }
}

async function writeGroup(db: Kysely<Tables>, group: readonly Work[]): Promise<void> {
  const failures = new Map<Work, unknown>();
  try {
    await db.transaction().execute(async (connection) => {
      for (const work of group) {
        await sql`savepoint work`.execute(connection);
        try {
          await work.run(connection);
        } catch (error) {
          failures.set(work, error ?? new Error("A transaction failed without a reason"));
          await sql`rollback to work`.execute(connection);
        }
        await sql`release work`.execute(connection);
      }
    });
  } catch (error) {
    for (const work of group) work.settle(failures.get(work) ?? error);
    return;
  }
  for (const work of group) work.settle(failures.get(work));
}
