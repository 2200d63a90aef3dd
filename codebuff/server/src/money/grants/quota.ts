import type { Database, Tables } from "../../database/tables.ts";
import { lockAccount } from "../ledger/account.ts";
import { expireGrants } from "./expire.ts";
import { addGrant } from "./grant.ts";

/** Gives the free credits of a month once it has begun, to whoever asks first; months nobody asked in give nothing. */
export async function refreshQuota(database: Database, read: Tables["user"], at: number): Promise<void> {
  const { id: userId } = read;
  if (read.free_units_per_month === 0 || read.next_quota_reset > at) return;
  await database.transaction(userId, async (connection) => {
    const locked = await lockAccount(connection, userId);
    const user = await connection.selectFrom("user").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    if (user.next_quota_reset > at) return;
    const next = monthAfter(user.next_quota_reset, at);
    const account = await expireGrants(connection, locked, at);
    const id = `free:${userId}:${user.next_quota_reset}`;
    await addGrant(connection, account, {
      id,
      ownerId: userId,
      kind: "free",
      units: user.free_units_per_month,
      expiresAt: next,
      at,
    });
    await connection.updateTable("user").set({ next_quota_reset: next }).where("id", "=", userId).execute();
  });
}

/** The first same day of a month that still lies ahead; the last day of a month that has no such day. */
function monthAfter(reset: number, at: number): number {
  const day = new Date(reset).getUTCDate();
  let next = reset;
  for (let months = 1; next <= at; months++) {
    const date = new Date(reset);
    date.setUTCMonth(date.getUTCMonth() + months, 1);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    next = date.setUTCDate(Math.min(day, last));
  }
  return next;
}
