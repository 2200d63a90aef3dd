import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";
import type { Connection } from "../database/tables.ts";
import { holdRow, insertHold, type NewHold } from "./hold.ts";
import type { Reservation } from "./reserve.ts";

/**
 * What nearly every reservation is: a new request of an account that has enough, none of it expired. One statement on
 * PostgreSQL, two on SQLite; false when it is not so, and nothing has changed.
 */
export async function holdCovered(database: Database, asked: Reservation): Promise<boolean> {
  const hold: NewHold = { ...asked, amount: asked.estimate, covered: 1 };
  if (database.kind === "sqlite") return database.write((connection) => takeAndHold(connection, hold));
  try {
    const rows = await database.write((connection) => takeAndHoldAtOnce(connection, hold), asked.ownerId);
    return rows.length > 0;
  } catch (error) {
    // The same request came twice at once; the other was first.
    if ((error as { code?: unknown }).code === uniqueViolation) return false;
    throw error;
  }
}

const uniqueViolation = "23505";

async function takeAndHold(connection: Connection, hold: NewHold): Promise<boolean> {
  const taken = await take(connection, hold);
  if (taken.length === 0) return false;
  await insertHold(connection, hold);
  return true;
}

const take = statement(takeCredits);

/** PostgreSQL may change two tables in one statement: one way there and back, and no lock waits for the client. */
const takeAndHoldAtOnce = statement((connection, hold: NewHold) => {
  const row = holdRow(hold);
  const columns = Object.keys(row) as (keyof typeof row)[];
  return connection
    .with("account", () => takeCredits(connection, hold))
    .insertInto("credit_hold")
    .columns(columns)
    .expression((from) => from.selectFrom("account").select(columns.map((name) => sql.val(row[name]).as(name))))
    .returning("request_id");
});

/** The lock and the change of the account in one, as far as its conditions hold. */
function takeCredits(connection: Connection, { ownerId, requestId, amount, at }: NewHold) {
  const units = sql<number>`cast(${amount} as bigint)`;
  return connection
    .updateTable("credit_account")
    .set({ version: sql`version + 1`, held: sql`held + ${units}` })
    .where("owner_id", "=", ownerId)
    .where(sql<boolean>`(${units} = 0 or balance - held >= ${units})`)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("credit_hold").select("request_id").where("request_id", "=", requestId))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("credit_grant")
            .select("id")
            .where("owner_id", "=", ownerId)
            .where("remaining", ">", 0)
            .where("expires_at", "<=", at),
        ),
      ),
    )
    .returning("owner_id");
}
