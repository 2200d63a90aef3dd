import { messageOf, redactShapes } from "@muster/core";
import { Refusal } from "../refusal.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** `sqlite:<file>` or `postgres://…`; the tables are made or brought up to date before it is returned. */
export async function openDatabase(url: string): Promise<Database> {
  let database: Database | undefined;
  try {
    database = await connect(url);
    await migrate(database);
    return database;
  } catch (error) {
    await database?.close();
    if (error instanceof TypeError) throw error;
    throw new Refusal(503, `The database ${redactShapes(url)} cannot be used: ${reasonOf(error)}`);
  }
}

/** An address with several answers fails with all of them and no text of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return messageOf(error);
}

async function connect(url: string): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (file === undefined) throw new TypeError("DATABASE_URL must be sqlite:<file> or postgres://…");
  return openSqlite(file);
}
