import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database } from "./database.ts";
import { Mutex } from "./mutex.ts";
import type { Tables } from "./tables.ts";

const bigint = 20;

export function openPostgres(url: string, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    options: "-c lock_timeout=2000 -c idle_in_transaction_session_timeout=30000",
    types: { getTypeParser: (type, format) => (type === bigint ? readCount : pg.types.getTypeParser(type, format)) },
  });
  // An idle connection that breaks is replaced by the pool; a query that meets a broken one fails on its own.
  pool.on("error", () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const queues = new Map<string, { mutex: Mutex; users: number }>();

  return {
    kind: "postgres",
    db,
    async transaction(ownerId, work) {
      const queue = queues.get(ownerId) ?? { mutex: new Mutex(), users: 0 };
      queues.set(ownerId, queue);
      queue.users++;
      await queue.mutex.lock();
      try {
        return await db.transaction().execute(work);
      } finally {
        queue.mutex.unlock();
        if (--queue.users === 0) queues.delete(ownerId);
      }
    },
    write: (statement) => statement(db),
    close: () => db.destroy(),
  };
}

function readCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to count with`);
  return value;
}
