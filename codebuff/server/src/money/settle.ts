import { creditsShown } from "@muster/metering";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";
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
    const [hold] = await openHold(connection, { requestId, ownerId });
    if (!hold) return { kind: "closed before" };
    const charged = await charge(connection, asked, hold.scope);
    const waived = cost - charged;
    await closeHold(connection, { requestId, closedBy, at, cost, charged, waived });
    await changeAccount(connection, account, { balance: -charged, held: -hold.amount });
    const shown = await addToRun(connection, hold.run_id, charged, at);
    await insertMessage(connection, {
      ...asked.call,
      id: requestId,
      user_id: ownerId,
      run_id: hold.run_id,
      units: charged,
      credits_shown: shown,
      finished_at: at,
    });
    return { kind: "charged", charged, waived, shown };
  });
}

/** The account is locked, so what is open here stays open until this transaction closes it. */
const openHold = statement((connection, { requestId, ownerId }: { requestId: string; ownerId: string }) =>
  connection
    .selectFrom("credit_hold")
    .select(["amount", "scope", "run_id"])
    .where("request_id", "=", requestId)
    .where("owner_id", "=", ownerId)
    .where("state", "=", "open"),
);

interface Closing extends Pick<Settlement, "requestId" | "closedBy" | "at" | "cost"> {
  readonly charged: number;
  readonly waived: number;
}

const closeHold = statement((connection, { requestId, closedBy, at, cost, charged, waived }: Closing) =>
  connection
    .updateTable("credit_hold")
    .set({ state: "settled", closed_by: closedBy, closed_at: at, cost, charged, waived })
    .where("request_id", "=", requestId),
);

const insertMessage = statement((connection, call: Tables["message"]) =>
  connection.insertInto("message").values({
    id: call.id,
    user_id: call.user_id,
    run_id: call.run_id,
    client_id: call.client_id,
    model: call.model,
    provider: call.provider,
    service_id: call.service_id,
    input_tokens: call.input_tokens,
    cached_input_tokens: call.cached_input_tokens,
    output_tokens: call.output_tokens,
    reasoning_tokens: call.reasoning_tokens,
    cost_nano_dollars: call.cost_nano_dollars,
    cost_from: call.cost_from,
    units: call.units,
    credits_shown: call.credits_shown,
    own_key: call.own_key,
    free: call.free,
    outcome: call.outcome,
    created_at: call.created_at,
    finished_at: call.finished_at,
  }),
);

/** Takes from the grants in their order; the rest becomes debt, or nobody's when only the subscription pays. */
async function charge(
  connection: Connection,
  { requestId, ownerId, cost, at }: Settlement,
  scope: Tables["credit_hold"]["scope"],
): Promise<number> {
  if (cost === 0) return 0;
  const grants = await grantsInOrder(connection, { ownerId });
  const payers = scope === "all" ? grants : grants.filter(({ kind }) => kind === "subscription");
  const taken = new Map<string, number>();
  let left = cost;
  for (const { id, remaining } of payers) {
    const amount = Math.min(left, Math.max(remaining, 0));
    if (amount > 0) taken.set(id, amount);
    left -= amount;
  }
  const debtor = scope === "all" && left > 0 ? await findDebtor(connection, ownerId) : undefined;
  if (debtor !== undefined) {
    taken.set(debtor, (taken.get(debtor) ?? 0) + left);
    left = 0;
  }
  const entry = { operation_id: `charge:${requestId}`, owner_id: ownerId, kind: "charge" as const, at };
  for (const [grantId, amount] of taken) await enter(connection, { ...entry, grant_id: grantId, amount: -amount });
  return cost - left;
}

/** Spent grants stay in the table for good; an index leaves them out. */
const grantsInOrder = statement((connection, { ownerId }: { ownerId: string }) =>
  connection
    .selectFrom("credit_grant")
    .select(["id", "kind", "remaining"])
    .where("owner_id", "=", ownerId)
    .where("remaining", "<>", 0)
    .orderBy("priority")
    .orderBy("expires_at")
    .orderBy("created_at")
    .orderBy("id"),
);

/** Debt stays in the grant that has some already, else it goes into the last one; never into a subscription's block. */
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

/** Whole credits shown for this call, so that those of a run add up to its rounded sum. */
async function addToRun(connection: Connection, runId: string | null, charged: number, at: number): Promise<number> {
  if (runId === null) return creditsShown(0, charged);
  const [run] = await addBilled(connection, { runId, charged, at });
  const after = run?.billed_units ?? charged;
  return creditsShown(after - charged, after);
}

const addBilled = statement((connection, { runId, charged, at }: { runId: string; charged: number; at: number }) =>
  connection
    .updateTable("agent_run")
    .set({ billed_units: sql`billed_units + ${charged}`, last_call_at: at })
    .where("id", "=", runId)
    .returning("billed_units"),
);
