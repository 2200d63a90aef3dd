import type { Database } from "../database/database.ts";
import type { Connection, HoldState, Tables } from "../database/tables.ts";
import { type Account, changeAccount, lockAccount } from "./account.ts";
import { expireGrants } from "./expire.ts";

export interface Reservation {
  readonly requestId: string;
  readonly ownerId: string;
  readonly runId: string | null;
  /** `subscription`: only the block pays, what goes beyond it is waived. */
  readonly scope: Tables["credit_hold"]["scope"];
  /** What the request may cost at most; 0 when nobody pays for it. */
  readonly estimate: number;
  /** What it costs in any case once it is dispatched. */
  readonly inputEstimate: number;
  readonly instanceId: string;
  readonly leaseUntil: number;
  readonly at: number;
}

export type Reserved =
  | { readonly kind: "held"; readonly amount: number; readonly covered: boolean }
  | { readonly kind: "known"; readonly state: HoldState }
  | { readonly kind: "no credits" }
  | { readonly kind: "credits held" };

/**
 * Sets credits aside before a model is called. At most one open request of an account may be larger than what is left, so
 * debt is never more than the cost of that one.
 */
export function reserve(database: Database, asked: Reservation): Promise<Reserved> {
  return database.transaction(asked.ownerId, async (connection) => {
    const locked = await lockAccount(connection, asked.ownerId);
    const known = await connection
      .selectFrom("credit_hold")
      .select("state")
      .where("request_id", "=", asked.requestId)
      .executeTakeFirst();
    if (known) return { kind: "known", state: known.state };
    const account = await expireGrants(connection, locked, asked.at);
    if (asked.estimate === 0) return hold(connection, account, asked, 0);
    if (account.balance <= 0) return { kind: "no credits" };
    const amount = Math.min(asked.estimate, account.balance - account.held);
    if (amount <= 0) return { kind: "credits held" };
    if (amount < asked.estimate && (await hasUncoveredHold(connection, asked.ownerId))) return { kind: "credits held" };
    return hold(connection, account, asked, amount);
  });
}

async function hasUncoveredHold(connection: Connection, ownerId: string): Promise<boolean> {
  const row = await connection
    .selectFrom("credit_hold")
    .select("request_id")
    .where("owner_id", "=", ownerId)
    .where("state", "=", "open")
    .where("covered", "=", 0)
    .executeTakeFirst();
  return row !== undefined;
}

async function hold(
  connection: Connection,
  account: Account,
  asked: Reservation,
  amount: number,
): Promise<Reserved & { kind: "held" }> {
  const covered = amount === asked.estimate;
  await connection
    .insertInto("credit_hold")
    .values({
      request_id: asked.requestId,
      owner_id: asked.ownerId,
      run_id: asked.runId,
      scope: asked.scope,
      amount,
      covered: covered ? 1 : 0,
      state: "open",
      instance_id: asked.instanceId,
      lease_until: asked.leaseUntil,
      dispatched_at: null,
      input_estimate: asked.inputEstimate,
      output_checkpoint: 0,
      cost: null,
      charged: null,
      waived: null,
      closed_by: null,
      created_at: asked.at,
      closed_at: null,
    })
    .execute();
  if (amount > 0) await changeAccount(connection, account, { held: amount });
  return { kind: "held", amount, covered };
}
