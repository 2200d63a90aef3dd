import { sql } from "kysely";
import type { Connection, Tables } from "../database/tables.ts";

type Entry = Pick<Tables["credit_entry"], "operation_id" | "grant_id" | "owner_id" | "kind" | "amount" | "at">;

/** Writes down a change of a grant and makes it, so that a grant is always the sum of its entries. */
export async function enter(connection: Connection, entry: Entry): Promise<void> {
  await connection.insertInto("credit_entry").values(entry).execute();
  if (entry.kind === "grant") return;
  await connection
    .updateTable("credit_grant")
    .set({ remaining: sql`remaining + ${entry.amount}` })
    .where("id", "=", entry.grant_id)
    .execute();
}
