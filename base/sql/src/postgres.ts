import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { isAway } from "./busy.ts";
import type { Database } from "./database.ts";
import { Mutex } from "./mutex.ts";
import { plainText } from "./plain-text.ts";
import { statementNames } from "./statement.ts";

const bigint = 20;

export function openPostgres<Tables>(url: string, poolSize = 20): Database<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    // Longer than any lock or statement of ours takes: then the other end is gone without a word.
    query_timeout: 60_000,
    keepAlive: true,
    options: "-c lock_timeout=2000 -c idle_in_transaction_session_timeout=30000",
    types: { getTypeParser: (type, format) => (type === bigint ? readCount : pg.types.getTypeParser(type, format)) },
  });
  // A connection that breaks is replaced by the pool; a query that meets a broken one fails on its own.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: naming(pool) }) });
  const queues = new Map<string, { mutex: Mutex; users: number }>();

  return {
    kind: "postgres",
    db,
    transaction: (ownerId, work) => {
      const run = () => db.transaction().execute(work);
      return ownerId === undefined ? run() : inTurn(ownerId, run);
    },
    write: (work) => work(db),
    close: () => db.destroy(),
  };

  async function inTurn<Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = queues.get(ownerId) ?? { mutex: new Mutex(), users: 0 };
    queues.set(ownerId, queue);
    queue.users++;
    await queue.mutex.lock();
    try {
      return await work();
    } finally {
      queue.mutex.unlock();
      if (--queue.users === 0) queues.delete(ownerId);
    }
  }
}

/** The pool as kysely sees it: statements that are kept go by their names. */
function naming(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? nameStatements(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function nameStatements(client: pg.PoolClient): PostgresPoolClient {
  let isBroken = false;
  const query = (text: string, values: unknown[]) =>
    client
      .query({
        name: statementNames.get(text),
        text,
        values: values.map((value) => (typeof value === "string" ? plainText(value) : value)),
      })
      .catch((error: unknown) => {
        isBroken ||= isAway(error);
        throw error;
      });
  // The other form of the call is for cursors, which nobody here asks for.
  return { query: query as unknown as PostgresPoolClient["query"], release: () => client.release(isBroken) };
}

function readCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to count with`);
  return value;
}
