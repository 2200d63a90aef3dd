import { dirname } from "node:path";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { makeDirectoriesNow } from "@muster/node";
import { CompiledQuery, Kysely } from "kysely";
import type { Connection, Database } from "./database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteFile } from "./sqlite-file.ts";

interface Work<Tables> {
  run(connection: Connection<Tables>): Promise<void>;
  settle(error?: unknown): void;
}

/** More in one commit would let the first wait for the last. */
const mostTogether = 200;
const longestGatherMs = 10;

/** `patienceMs`: how long to wait while another process writes. */
export async function openSqlite<Tables>(path: string, patienceMs?: number): Promise<Database<Tables>> {
  makeDirectoriesNow(dirname(path));
  const db = new Kysely<Tables>({ dialect: sqliteDialect(await openSqliteFile(path), patienceMs) });
  const waiting: Work<Tables>[] = [];
  let isWriting = false;

  const commit = <Result>(work: (connection: Connection<Tables>) => Promise<Result>) =>
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
    write: (work) => commit(work),
    close: () => db.destroy(),
  };

  /**
   * A commit waits for the disk, and this process waits with it, so there is one for all who ask at about the same time:
   * whatever has arrived is read first, and after a commit for several the next one lets as much time pass as that took.
   */
  async function writeAll(): Promise<void> {
    isWriting = true;
    let gatherMs = 0;
    while (waiting.length > 0) {
      await (gatherMs < 1 ? setImmediate() : wait(gatherMs));
      const group = waiting.splice(0, mostTogether);
      const began = performance.now();
      await writeGroup(db, group);
      gatherMs = group.length === 1 ? 0 : Math.min(longestGatherMs, performance.now() - began);
    }
    isWriting = false;
  }
}

/** One transaction for all. When somebody's part fails, it is done again with each part on its own, so that the others hold. */
async function writeGroup<Tables>(db: Kysely<Tables>, group: readonly Work<Tables>[]): Promise<void> {
  try {
    await db.transaction().execute(async (connection) => {
      for (const work of group) await work.run(connection);
    });
  } catch (error) {
    if (group.length === 1) group[0]?.settle(error);
    else await writeEach(db, group);
    return;
  }
  for (const work of group) work.settle();
}

async function writeEach<Tables>(db: Kysely<Tables>, group: readonly Work<Tables>[]): Promise<void> {
  const failures = new Map<Work<Tables>, unknown>();
  try {
    await db.transaction().execute(async (connection) => {
      for (const work of group) {
        await connection.executeQuery(savepoint);
        try {
          await work.run(connection);
        } catch (error) {
          failures.set(work, error ?? new Error("A transaction failed without a reason"));
          await connection.executeQuery(rollbackToSavepoint);
        }
        await connection.executeQuery(releaseSavepoint);
      }
    });
  } catch (error) {
    for (const work of group) work.settle(failures.get(work) ?? error);
    return;
  }
  for (const work of group) work.settle(failures.get(work));
}

const savepoint = CompiledQuery.raw("savepoint work");
const rollbackToSavepoint = CompiledQuery.raw("rollback to work");
const releaseSavepoint = CompiledQuery.raw("release work");
