import type { Connection, Database, GrantKind } from "../../database/tables.ts";
import { type Account, changeAccount, lockAccount } from "../ledger/account.ts";
import { enter } from "../ledger/entries.ts";
import { priorities } from "./priorities.ts";

export interface Grant {
  /** The operation: the same id twice grants once. */
  readonly id: string;
  readonly ownerId: string;
  readonly kind: GrantKind;
  readonly units: number;
  readonly expiresAt: number;
  readonly at: number;
}

/** False when this grant had been made before. */
export function grant(database: Database, asked: Grant): Promise<boolean> {
  return database.transaction(asked.ownerId, async (connection) => {
    const account = await lockAccount(connection, asked.ownerId);
    return (await addGrant(connection, account, asked)) !== undefined;
  });
}

/** The account afterwards; undefined when the grant is known. For transactions that hold the account already. */
export async function addGrant(connection: Connection, account: Account, asked: Grant): Promise<Account | undefined> {
  if (!Number.isSafeInteger(asked.units) || asked.units <= 0) throw new RangeError("A grant is of at least one unit");
  const { id, ownerId, kind, units, expiresAt, at } = asked;
  const inserted = await connection
    .insertInto("credit_grant")
    .values({
      id,
      owner_id: ownerId,
      kind,
      priority: priorities[kind],
      principal: units,
      remaining: units,
      expires_at: expiresAt,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return undefined;
  await enter(connection, { operation_id: id, grant_id: id, owner_id: ownerId, kind: "grant", amount: units, at });
  await repayDebt(connection, asked);
  return changeAccount(connection, account, { balance: units });
}

/** Debt stands in one grant at most; a new grant pays it before anything else can use it. */
async function repayDebt(connection: Connection, { id, ownerId, units, at }: Grant): Promise<void> {
  const debt = await connection
    .selectFrom("credit_grant")
    .select(["id", "remaining"])
    .where("owner_id", "=", ownerId)
    .where("remaining", "<", 0)
    .executeTakeFirst();
  if (!debt) return;
  const amount = Math.min(units, -debt.remaining);
  const entry = { operation_id: `repay:${id}`, owner_id: ownerId, kind: "repay" as const, at };
  await enter(connection, { ...entry, grant_id: id, amount: -amount });
  await enter(connection, { ...entry, grant_id: debt.id, amount });
}
