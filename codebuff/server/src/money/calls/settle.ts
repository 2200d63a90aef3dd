import { creditsShown } from "@muster/metering";
import { sql, together } from "@muster/sql";
import type { Connection, Database, Tables } from "../../database/tables.ts";
import { lockAccount, lockFree } from "../ledger/account.ts";
import { type Charge, grantsInOrder, openHolds, writeCharges, writeMessages } from "./settle-rows.ts";

export interface Settlement {
  readonly requestId: string;
  readonly ownerId: string;
  /** Units of 1/1000 credit. */
  readonly cost: number;
  readonly closedBy: string;
  readonly at: number;
  /** The record of the call; what was charged and shown is added here. */
  readonly call: Omit<Tables["message"], "id" | "user_id" | "run_id" | "units" | "credits_shown" | "finished_at">;
}

export type Settled =
  | { readonly kind: "charged"; readonly charged: number; readonly waived: number; readonly shown: number }
  | { readonly kind: "closed before" };

/** Closes a hold with what the call cost. The first close wins; the same settlement twice charges once. */
export async function settle(database: Database, asked: Settlement): Promise<Settled> {
  return (await settleFree(database, asked)) ?? settleInTurn(database, asked);
}

/** Those of one moment in one transaction; undefined for an account that somebody else is changing just now. */
const settleFree = together((database: Database, asks: readonly Settlement[]) =>
  database.transaction(undefined, async (connection): Promise<readonly (Settled | undefined)[]> => {
    const free = await lockFree(connection, new Set(asks.map(({ ownerId }) => ownerId)));
    const settled = await closeHolds(
      connection,
      asks.filter(({ ownerId }) => free.has(ownerId)),
    );
    return asks.map(({ ownerId }) => (free.has(ownerId) ? settled.shift() : undefined));
  }),
);

function settleInTurn(database: Database, asked: Settlement): Promise<Settled> {
  return database.transaction(asked.ownerId, async (connection) => {
    await lockAccount(connection, asked.ownerId);
    const [settled = closedBefore] = await closeHolds(connection, [asked]);
    return settled;
  });
}

const closedBefore: Settled = { kind: "closed before" };

/** The accounts are locked, so what is open here stays open until this transaction closes it. Answers in the order of asking. */
async function closeHolds(connection: Connection, asks: readonly Settlement[]): Promise<Settled[]> {
  const open = new Map((await openHolds(connection, asks)).map((hold) => [hold.request_id, hold]));
  const purses = await openPurses(connection, asks);
  const charges = new Map<number, Charge>();
  for (const [place, ask] of asks.entries()) {
    const hold = open.get(ask.requestId);
    if (hold?.owner_id !== ask.ownerId) continue;
    open.delete(ask.requestId);
    const { taken, charged } = await charge(connection, ask, hold.scope, purses.get(ask.ownerId) ?? []);
    charges.set(place, { ask, hold, taken, charged, waived: ask.cost - charged });
  }
  const shown = await write(connection, [...charges.values()]);
  return asks.map(({ requestId }, place) => {
    const { charged, waived } = charges.get(place) ?? {};
    if (charged === undefined || waived === undefined) return closedBefore;
    return { kind: "charged", charged, waived, shown: shown.get(requestId) ?? 0 };
  });
}

async function write(connection: Connection, charges: readonly Charge[]): Promise<ReadonlyMap<string, number>> {
  if (charges.length === 0) return new Map();
  const shown = showCharges(charges, await writeCharges(connection, charges));
  await writeMessages(connection, charges, shown);
  return shown;
}

interface Grant {
  readonly id: string;
  readonly kind: string;
  remaining: number;
}

/** What each owner can pay from, in the order of spending. */
async function openPurses(connection: Connection, asks: readonly Settlement[]): Promise<Map<string, Grant[]>> {
  const purses = new Map<string, Grant[]>();
  const owners = new Set(asks.filter(({ cost }) => cost > 0).map(({ ownerId }) => ownerId));
  if (owners.size === 0) return purses;
  for (const { owner_id, ...grant } of await grantsInOrder(connection, owners)) {
    const purse = purses.get(owner_id) ?? [];
    purses.set(owner_id, purse);
    purse.push(grant);
  }
  return purses;
}

/** Takes from the grants in their order; the rest becomes debt, or nobody's when only the subscription pays. */
async function charge(
  connection: Connection,
  { ownerId, cost }: Settlement,
  scope: Tables["credit_hold"]["scope"],
  purse: readonly Grant[],
): Promise<Pick<Charge, "taken" | "charged">> {
  const taken = new Map<string, number>();
  let left = cost;
  for (const grant of purse) {
    if (scope === "subscription" && grant.kind !== "subscription") continue;
    const amount = Math.min(left, Math.max(grant.remaining, 0));
    if (amount <= 0) continue;
    taken.set(grant.id, amount);
    grant.remaining -= amount;
    left -= amount;
  }
  const debtor = scope === "all" && left > 0 ? await findDebtor(connection, ownerId) : undefined;
  if (debtor !== undefined) {
    taken.set(debtor, (taken.get(debtor) ?? 0) + left);
    left = 0;
  }
  return { taken, charged: cost - left };
}

/**
 * Debt stays in the grant that has some already, else it goes into the last one; never into a subscription's block. As long as
 * nothing is written, this is the same grant for all requests of an owner.
 */
async function findDebtor(connection: Connection, ownerId: string): Promise<string | undefined> {
  const debtor = await connection
    .selectFrom("credit_grant")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("kind", "<>", "subscription")
    .orderBy(sql`case when remaining < 0 then 0 else 1 end`)
    .orderBy("priority", "desc")
    .orderBy("expires_at", "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return debtor?.id;
}

/** Whole credits shown for each call, so that those of a run add up to its rounded sum. */
function showCharges(charges: readonly Charge[], billed: ReadonlyMap<string, number>): Map<string, number> {
  const after = new Map(billed);
  const shown = new Map<string, number>();
  for (const { ask, hold, charged } of charges.toReversed()) {
    const sum = (hold.run_id === null ? undefined : after.get(hold.run_id)) ?? charged;
    shown.set(ask.requestId, creditsShown(sum - charged, sum));
    if (hold.run_id !== null && after.has(hold.run_id)) after.set(hold.run_id, sum - charged);
  }
  return shown;
}
