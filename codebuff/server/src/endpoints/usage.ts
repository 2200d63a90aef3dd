import { unitsPerCredit } from "@muster/metering";
import { knowUser } from "../admission/user.ts";
import { blockState } from "../money/grants/block.ts";
import { expire } from "../money/grants/expire.ts";
import { refreshQuota } from "../money/grants/quota.ts";
import type { Call } from "./answer.ts";

/** What is left, when more comes, and how the subscription's block stands. */
export async function usage({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const { database } = service;
  const now = service.now();
  await refreshQuota(database, user, now);
  await expire(database, user.id, now);
  const account = await database.db
    .selectFrom("credit_account")
    .innerJoin("user", "user.id", "credit_account.owner_id")
    .select(["balance", "held", "next_quota_reset", "free_units_per_month"])
    .where("owner_id", "=", user.id)
    .executeTakeFirstOrThrow();
  const block = await blockState(database.db, user.id, now);
  return {
    type: "usage-response",
    remainingBalance: account.balance / unitsPerCredit,
    heldCredits: account.held / unitsPerCredit,
    next_quota_reset: account.free_units_per_month === 0 ? null : new Date(account.next_quota_reset).toISOString(),
    fallbackToCredits: user.fallback_to_credits === 1,
    block: block.kind === "no subscription" ? null : viewOfBlock(block),
  };
}

function viewOfBlock(block: Exclude<Awaited<ReturnType<typeof blockState>>, { kind: "no subscription" }>): object {
  if (block.kind === "open") {
    return {
      state: "open",
      remaining: block.remaining / unitsPerCredit,
      expiresAt: new Date(block.expiresAt).toISOString(),
    };
  }
  return { state: "used_up", limit: block.limit, resetsAt: new Date(block.resetsAt).toISOString() };
}
