import { sql, statement } from "@muster/sql";
import type { Connection, Tables } from "../../database/tables.ts";

type Entry = Pick<Tables["credit_entry"], "operation_id" | "grant_id" | "owner_id" | "kind" | "amount" | "at">;

/** Writes down a change of a grant and makes it, so that a grant is always the sum of its entries. */
export async function enter(connection: Connection, entry: Entry): Promise<void> {
  await insertEntry(connection, entry);
  if (entry.kind !== "grant") await changeGrant(connection, entry);
}

const insertEntry = statement((connection: Connection, { operation_id, grant_id, owner_id, kind, amount, at }: Entry) =>
  connection.insertInto("credit_entry").values({ operation_id, grant_id, owner_id, kind, amount, at }),
);

const changeGrant = statement((connection: Connection, { grant_id, amount }: Entry) =>
  connection
    .updateTable("credit_grant")
    .set({ remaining: sql`remaining + ${amount}` })
    .where("id", "=", grant_id),
);
