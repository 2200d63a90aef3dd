import type { Database } from "../../database/tables.ts";
import { changeAccount, lockAccount } from "../ledger/account.ts";

/** Gives held credits back without a charge. False when the hold was closed before: the first close wins. */
export function release(
  database: Database,
  { requestId, ownerId, closedBy, at }: { requestId: string; ownerId: string; closedBy: string; at: number },
): Promise<boolean> {
  return database.transaction(ownerId, async (connection) => {
    const account = await lockAccount(connection, ownerId);
    const hold = await connection
      .updateTable("credit_hold")
      .set({ state: "released", closed_by: closedBy, closed_at: at, cost: 0, charged: 0, waived: 0 })
      .where("request_id", "=", requestId)
      .where("owner_id", "=", ownerId)
      .where("state", "=", "open")
      .returning("amount")
      .executeTakeFirst();
    if (!hold) return false;
    await changeAccount(connection, account, { held: -hold.amount });
    return true;
  });
}
