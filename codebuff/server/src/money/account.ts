import { sql } from "kysely";
import { statement } from "../database/statement.ts";
import type { Connection } from "../database/tables.ts";

export interface Account {
  readonly ownerId: string;
  readonly balance: number;
  readonly held: number;
}

/**
 * The first statement of every transaction that touches money: a row lock on PostgreSQL, the write lock on SQLite. There is
 * one lock and it comes first, so there are no deadlocks.
 */
export async function lockAccount(connection: Connection, ownerId: string): Promise<Account> {
  const [account] = await lock(connection, { ownerId });
  if (!account) throw new Error(`There is no credit account of ${ownerId}`);
  return { ownerId, ...account };
}

const lock = statement((connection, { ownerId }: { ownerId: string }) =>
  connection
    .updateTable("credit_account")
    .set({ version: sql`version + 1` })
    .where("owner_id", "=", ownerId)
    .returning(["balance", "held"]),
);

export async function openAccount(connection: Connection, ownerId: string): Promise<void> {
  await connection
    .insertInto("credit_account")
    .values({ owner_id: ownerId, balance: 0, held: 0, version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Changes what a locked account has; the balance may go below zero, what is held may not. */
export async function changeAccount(
  connection: Connection,
  { ownerId, ...before }: Account,
  change: { balance?: number; held?: number },
): Promise<Account> {
  const account = {
    ownerId,
    balance: before.balance + (change.balance ?? 0),
    held: before.held + (change.held ?? 0),
  };
  await write(connection, account);
  return account;
}

const write = statement((connection, { ownerId, balance, held }: Account) =>
  connection.updateTable("credit_account").set({ balance, held }).where("owner_id", "=", ownerId),
);
