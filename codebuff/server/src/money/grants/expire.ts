import { statement } from "@muster/sql";
import type { Connection, Database } from "../../database/tables.ts";
import { type Account, changeAccount, lockAccount } from "../ledger/account.ts";
import { enter } from "../ledger/entries.ts";

/** Takes what has expired from an account, as far as no open request holds it. */
export function expire(database: Database, ownerId: string, at: number): Promise<number> {
  return database.transaction(ownerId, async (connection) => {
    const account = await lockAccount(connection, ownerId);
    return account.balance - (await expireGrants(connection, account, at)).balance;
  });
}

/** The account afterwards. For transactions that hold the account already. */
export async function expireGrants(connection: Connection, account: Account, at: number): Promise<Account> {
  let now = account;
  for (const { id, remaining } of await expiredGrants(connection, { ownerId: account.ownerId, at })) {
    const taken = Math.min(remaining, now.balance - now.held);
    if (taken <= 0) break;
    await enter(connection, {
      operation_id: `expire:${id}:${remaining}`,
      grant_id: id,
      owner_id: account.ownerId,
      kind: "expire",
      amount: -taken,
      at,
    });
    now = await changeAccount(connection, now, { balance: -taken });
  }
  return now;
}

const expiredGrants = statement((connection: Connection, { ownerId, at }: { ownerId: string; at: number }) =>
  connection
    .selectFrom("credit_grant")
    .select(["id", "remaining"])
    .where("owner_id", "=", ownerId)
    .where("remaining", ">", 0)
    .where("expires_at", "<=", at)
    .orderBy("priority")
    .orderBy("expires_at")
    .orderBy("created_at")
    .orderBy("id"),
);

/** Accounts with something to expire: for the sweep of those nobody asks for. */
export async function ownersToExpire({ db }: Database, at: number): Promise<string[]> {
  const rows = await db
    .selectFrom("credit_grant")
    .innerJoin("credit_account", "credit_account.owner_id", "credit_grant.owner_id")
    .select("credit_grant.owner_id")
    .distinct()
    .where("remaining", ">", 0)
    .where("expires_at", "<=", at)
    .whereRef("balance", ">", "held")
    .execute();
  return rows.map(({ owner_id }) => owner_id);
}
