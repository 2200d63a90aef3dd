import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { lockAccount } from "./account.ts";
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

/** The first same day of a month that still lies ahead. */
function monthAfter(reset: number, at: number): number {
  const date = new Date(reset);
  while (date.getTime() <= at) date.setUTCMonth(date.getUTCMonth() + 1);
  return date.getTime();
}
