import { sql } from "kysely";
import type { Database, DatabaseKind } from "./database.ts";

/** A change of the tables that has landed is never changed itself: what comes later is a new one. */
export interface Migration {
  readonly name: string;
  statements(kind: DatabaseKind): readonly string[];
}

/**
 * Runs in order what has not been run yet. Any number of instances may start at once: the lock is taken before the first look
 * at what has been done.
 */
export async function migrate<Tables>({ db, kind }: Database<Tables>, migrations: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (connection) => {
    if (kind === "postgres") await sql`select pg_advisory_xact_lock(7305021)`.execute(connection);
    await sql`create table if not exists migration (name text primary key, at bigint not null)`.execute(connection);
    const { rows } = await sql<{ name: string }>`select name from migration`.execute(connection);
    const done = new Set(rows.map(({ name }) => name));
    for (const { name, statements } of migrations) {
      if (done.has(name)) continue;
      for (const statement of statements(kind)) await sql.raw(statement).execute(connection);
      await sql`insert into migration (name, at) values (${name}, ${Date.now()})`.execute(connection);
    }
  });
}
