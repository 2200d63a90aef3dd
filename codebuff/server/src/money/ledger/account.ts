import { isSqlite, rowSet, sql, statement } from "@muster/sql";
import type { Connection } from "../../database/tables.ts";

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

const lock = statement((connection: Connection, { ownerId }: { ownerId: string }) =>
  connection
    .updateTable("credit_account")
    .set({ version: sql`version + 1` })
    .where("owner_id", "=", ownerId)
    .returning(["balance", "held"]),
);

/** Of these accounts, those that nobody else is changing; they are locked from now on. It waits for none, so there are no deadlocks. */
export async function lockFree(connection: Connection, ownerIds: Iterable<string>): Promise<ReadonlySet<string>> {
  const rows = owners.pack(
    connection,
    [...ownerIds].map((ownerId) => ({ ownerId })),
  );
  const free = await lockThoseFree(connection, { rows });
  return new Set(free.map(({ owner_id }) => owner_id));
}

const owners = rowSet<{ ownerId: string }>({ ownerId: "text" });

const lockThoseFree = statement((connection: Connection, { rows }: { rows: string }) => {
  const asked = connection
    .selectFrom("credit_account")
    .select("owner_id")
    .where("owner_id", "in", (from) =>
      from.selectFrom(owners.table(connection, rows, "asked")).select("asked.ownerId"),
    );
  // SQLite has one lock for all, and a transaction has it from its beginning.
  return isSqlite(connection) ? asked : asked.forUpdate().skipLocked();
});

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

const write = statement((connection: Connection, { ownerId, balance, held }: Account) =>
  connection.updateTable("credit_account").set({ balance, held }).where("owner_id", "=", ownerId),
);
