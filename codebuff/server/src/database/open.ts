import { DatabaseUnavailable, openDatabase as openTables } from "@muster/sql";
import { Refusal } from "../refusal.ts";
import { migrations } from "./migrations.ts";
import type { Database, Tables } from "./tables.ts";

/** The server's database, its tables made or brought up to date; a request that needs one that is not there is refused. */
export async function openDatabase(url: string): Promise<Database> {
  try {
    return await openTables<Tables>(url, migrations);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw new Refusal(503, error.message);
    throw error;
  }
}
