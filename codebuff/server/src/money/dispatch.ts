import type { Database } from "../database/database.ts";

/**
 * Says that the model is about to be called, before the first byte goes there: from now on the request costs something.
 * False when the hold is no longer open: then the model must not be called.
 */
export async function dispatch(database: Database, requestId: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await database.write((connection) =>
    connection
      .updateTable("credit_hold")
      .set({ dispatched_at: at })
      .where("request_id", "=", requestId)
      .where("state", "=", "open")
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
