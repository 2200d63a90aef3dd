import { randomUUID } from "node:crypto";
import { unitsPerCredit } from "@muster/metering";
import { type Database, never, type Tables } from "../database/tables.ts";
import { grant } from "../money/grants/grant.ts";
import { refreshQuota } from "../money/grants/quota.ts";
import { openAccount } from "../money/ledger/account.ts";
import { Refusal } from "../refusal.ts";

export type User = Tables["user"];

export interface NewUser {
  readonly email: string;
  readonly role?: User["role"];
  /** Granted once, instead of the free credits of every month. */
  readonly credits?: number;
  readonly freeCreditsPerMonth: number;
  readonly at: number;
}

export async function createUser(database: Database, asked: NewUser): Promise<User> {
  const { email, at, credits } = asked;
  const user: User = {
    id: randomUUID(),
    email,
    role: asked.role ?? "user",
    banned: 0,
    fallback_to_credits: 1,
    free_units_per_month: credits === undefined ? asked.freeCreditsPerMonth * unitsPerCredit : 0,
    next_quota_reset: at,
    created_at: at,
  };
  const made = await database.transaction(user.id, async (connection) => {
    const row = await connection
      .insertInto("user")
      .values(user)
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (row) await openAccount(connection, user.id);
    return row !== undefined;
  });
  if (!made) throw new Refusal(409, `There is a user with the address ${email} already`);
  if (credits !== undefined && credits > 0) {
    const units = credits * unitsPerCredit;
    await grant(database, { id: `first:${user.id}`, ownerId: user.id, kind: "admin", units, expiresAt: never, at });
  }
  await refreshQuota(database, user, at);
  return user;
}

/** By id or by address. */
export async function findUser({ db }: Database, idOrEmail: string): Promise<User | undefined> {
  return db
    .selectFrom("user")
    .selectAll()
    .where((where) => where.or([where("id", "=", idOrEmail), where("email", "=", idOrEmail)]))
    .executeTakeFirst();
}
