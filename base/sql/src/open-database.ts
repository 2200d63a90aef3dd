import { messageOf, redactShapes } from "@muster/core";
import type { Database } from "./database.ts";
import { type Migration, migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** The database is not there, or is no use; the text has no password in it. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** `sqlite:<file>` or `postgres://…`; the tables are made or brought up to date before it is returned. */
export async function openDatabase<Tables>(url: string, migrations: readonly Migration[]): Promise<Database<Tables>> {
  let database: Database<Tables> | undefined;
  try {
    database = await connect<Tables>(url);
    await migrate(database, migrations);
    return database;
  } catch (error) {
    await database?.close();
    if (error instanceof TypeError) throw error;
    throw new DatabaseUnavailable(`The database ${redactShapes(url)} cannot be used: ${reasonOf(error)}`);
  }
}

/** An address with several answers fails with all of them and no text of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return messageOf(error);
}

async function connect<Tables>(url: string): Promise<Database<Tables>> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres<Tables>(url);
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (file === undefined) throw new TypeError("DATABASE_URL must be sqlite:<file> or postgres://…");
  return openSqlite<Tables>(file);
}
