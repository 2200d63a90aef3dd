import { sql } from "@muster/sql";
import type { Connection, Database, Tables } from "../../database/tables.ts";
import { lockAccount } from "../ledger/account.ts";
import { expireGrants } from "./expire.ts";
import { addGrant } from "./grant.ts";

export const blockMs = 5 * 60 * 60 * 1000;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Credits per block and per week of each tier (US dollars a month). */
export const tiers: Readonly<Record<string, { creditsPerBlock: number; creditsPerWeek: number }>> = {
  "100": { creditsPerBlock: 420, creditsPerWeek: 4_200 },
  "200": { creditsPerBlock: 1_050, creditsPerWeek: 10_500 },
  "500": { creditsPerBlock: 2_940, creditsPerWeek: 29_400 },
};

export type BlockState =
  | { readonly kind: "no subscription" }
  | { readonly kind: "open"; readonly remaining: number; readonly expiresAt: number }
  | { readonly kind: "used up"; readonly limit: "block" | "week"; readonly resetsAt: number };

/** A subscriber's credits come in blocks of five hours within a weekly limit; the first request after one opens the next. */
export function openBlock(database: Database, ownerId: string, at: number): Promise<BlockState> {
  return database.transaction(ownerId, async (connection) => {
    const locked = await lockAccount(connection, ownerId);
    const subscription = await activeSubscription(connection, ownerId, at);
    if (!subscription) return { kind: "no subscription" };
    const live = await liveBlock(connection, ownerId, at);
    if (live) return stateOf(live);
    const account = await expireGrants(connection, locked, at);
    const week = weekOf(subscription, at);
    const left = subscription.units_per_week - (await usedSince(connection, ownerId, week.start));
    const units = Math.min(subscription.units_per_block, left);
    if (units <= 0) return { kind: "used up", limit: "week", resetsAt: week.end };
    const block = { id: `block:${ownerId}:${at}`, ownerId, kind: "subscription" as const, units, at };
    await addGrant(connection, account, { ...block, expiresAt: at + blockMs });
    const opened = await liveBlock(connection, ownerId, at);
    if (!opened) throw new Error("A block that was just opened is not there");
    return stateOf(opened);
  });
}

/** What `openBlock` would find, without opening one. */
export async function blockState(connection: Connection, ownerId: string, at: number): Promise<BlockState> {
  const subscription = await activeSubscription(connection, ownerId, at);
  if (!subscription) return { kind: "no subscription" };
  const live = await liveBlock(connection, ownerId, at);
  if (live) return stateOf(live);
  const week = weekOf(subscription, at);
  const left = subscription.units_per_week - (await usedSince(connection, ownerId, week.start));
  if (left <= 0) return { kind: "used up", limit: "week", resetsAt: week.end };
  return { kind: "open", remaining: Math.min(left, subscription.units_per_block), expiresAt: at + blockMs };
}

function activeSubscription(connection: Connection, ownerId: string, at: number) {
  return connection
    .selectFrom("subscription")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("started_at", "<=", at)
    .where("ends_at", ">", at)
    .executeTakeFirst();
}

function liveBlock(connection: Connection, ownerId: string, at: number) {
  return connection
    .selectFrom("credit_grant")
    .select(["remaining", "expires_at"])
    .where("owner_id", "=", ownerId)
    .where("kind", "=", "subscription")
    .where("expires_at", ">", at)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
}

function stateOf(block: { remaining: number; expires_at: number }): BlockState {
  if (block.remaining > 0) return { kind: "open", remaining: block.remaining, expiresAt: block.expires_at };
  return { kind: "used up", limit: "block", resetsAt: block.expires_at };
}

/** Weeks begin at the hour in which the subscription began. */
function weekOf({ started_at }: Pick<Tables["subscription"], "started_at">, at: number) {
  const start = at - ((at - started_at) % weekMs);
  return { start, end: start + weekMs };
}

/** Charged to blocks of this week, and waived because only a block would have paid. */
async function usedSince(connection: Connection, ownerId: string, start: number): Promise<number> {
  const charged = await connection
    .selectFrom("credit_entry")
    .innerJoin("credit_grant", "credit_grant.id", "credit_entry.grant_id")
    .select(sql<number>`cast(coalesce(-sum(credit_entry.amount), 0) as bigint)`.as("units"))
    .where("credit_entry.owner_id", "=", ownerId)
    .where("credit_entry.kind", "in", ["charge", "repay"])
    .where("credit_grant.kind", "=", "subscription")
    .where("credit_entry.at", ">=", start)
    .executeTakeFirstOrThrow();
  const waived = await connection
    .selectFrom("credit_hold")
    .select(sql<number>`cast(coalesce(sum(waived), 0) as bigint)`.as("units"))
    .where("owner_id", "=", ownerId)
    .where("scope", "=", "subscription")
    .where("closed_at", ">=", start)
    .executeTakeFirstOrThrow();
  return charged.units + waived.units;
}
