import { creditsShown } from "@muster/metering";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Connection, Tables } from "../database/tables.ts";
import { changeAccount, lockAccount } from "./account.ts";
import { enter } from "./entries.ts";

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
export function settle(database: Database, asked: Settlement): Promise<Settled> {
  const { requestId, ownerId, cost, closedBy, at } = asked;
  return database.transaction(ownerId, async (connection) => {
    const account = await lockAccount(connection, ownerId);
    const hold = await connection
      .updateTable("credit_hold")
      .set({ state: "settled", closed_by: closedBy, closed_at: at })
      .where("request_id", "=", requestId)
      .where("owner_id", "=", ownerId)
      .where("state", "=", "open")
      .returning(["amount", "scope", "run_id"])
      .executeTakeFirst();
    if (!hold) return { kind: "closed before" };
    const charged = await charge(connection, asked, hold.scope);
    const waived = cost - charged;
    await connection
      .updateTable("credit_hold")
      .set({ cost, charged, waived })
      .where("request_id", "=", requestId)
      .execute();
    await changeAccount(connection, account, { balance: -charged, held: -hold.amount });
    const shown = await addToRun(connection, hold.run_id, charged, at);
    await connection
      .insertInto("message")
      .values({
        ...asked.call,
        id: requestId,
        user_id: ownerId,
        run_id: hold.run_id,
        units: charged,
        credits_shown: shown,
        finished_at: at,
      })
      .execute();
    return { kind: "charged", charged, waived, shown };
  });
}

/** Takes from the grants in their order; the rest becomes debt, or nobody's when only the subscription pays. */
async function charge(
  connection: Connection,
  { requestId, ownerId, cost, at }: Settlement,
  scope: Tables["credit_hold"]["scope"],
): Promise<number> {
  if (cost === 0) return 0;
  const grants = await connection
    .selectFrom("credit_grant")
    .select(["id", "kind", "remaining"])
    .where("owner_id", "=", ownerId)
    .orderBy("priority")
    .orderBy("expires_at")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const payers = scope === "all" ? grants : grants.filter(({ kind }) => kind === "subscription");
  const taken = new Map<string, number>();
  let left = cost;
  for (const { id, remaining } of payers) {
    const amount = Math.min(left, Math.max(remaining, 0));
    if (amount > 0) taken.set(id, amount);
    left -= amount;
  }
  const debtor = scope === "all" && left > 0 ? debtorOf(grants) : undefined;
  if (debtor !== undefined) {
    taken.set(debtor, (taken.get(debtor) ?? 0) + left);
    left = 0;
  }
  const entry = { operation_id: `charge:${requestId}`, owner_id: ownerId, kind: "charge" as const, at };
  for (const [grantId, amount] of taken) await enter(connection, { ...entry, grant_id: grantId, amount: -amount });
  return cost - left;
}

/** Debt stays in the grant that has some already, else it goes into the last one; never into a subscription's block. */
function debtorOf(grants: readonly { id: string; kind: string; remaining: number }[]): string | undefined {
  const others = grants.filter(({ kind }) => kind !== "subscription");
  return (others.find(({ remaining }) => remaining < 0) ?? others.at(-1))?.id;
}

/** Whole credits shown for this call, so that those of a run add up to its rounded sum. */
async function addToRun(connection: Connection, runId: string | null, charged: number, at: number): Promise<number> {
  if (runId === null) return creditsShown(0, charged);
  const run = await connection
    .updateTable("agent_run")
    .set({ billed_units: sql`billed_units + ${charged}`, last_call_at: at })
    .where("id", "=", runId)
    .returning("billed_units")
    .executeTakeFirst();
  const after = run?.billed_units ?? charged;
  return creditsShown(after - charged, after);
}
