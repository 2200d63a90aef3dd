import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** `sqlite:<file>` or `postgres://…`; the tables are made or brought up to date before it is returned. */
export async function openDatabase(url: string): Promise<Database> {
  const database = await connect(url);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function connect(url: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (file === undefined) throw new TypeError("DATABASE_URL must be sqlite:<file> or postgres://…");
  return openSqlite(file);
}
