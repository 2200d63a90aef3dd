import type { Tables } from "../database/tables.ts";
import { errorFields } from "../log.ts";
import { type BlockState, openBlock } from "../money/grants/block.ts";
import type { Caller } from "../people/callers.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { countdown } from "./countdown.ts";

/**
 * G6: a subscriber spends from the open block, else from other credits if the account says so. Which credits may pay is the
 * answer. A fault in here lets the request pass: nobody is locked out by our bookkeeping.
 */
export async function openBillingBlock(user: Caller, service: Service): Promise<Tables["credit_hold"]["scope"]> {
  // Most people have none: they are spared the lock and its commit.
  if (user.subscriber === null) return "all";
  const state = await stateOf(user, service);
  const fallback = user.fallback_to_credits === 1;
  switch (state.kind) {
    case "no subscription":
      return "all";
    case "open":
      return fallback ? "all" : "subscription";
    case "used up":
      if (fallback) return "all";
      throw new Refusal(429, limitText(state, service.now()), {
        code: "rate_limit_exceeded",
        headers: { "retry-after": String(Math.max(1, Math.ceil((state.resetsAt - service.now()) / 1000))) },
      });
  }
}

async function stateOf(user: Caller, service: Service): Promise<BlockState> {
  try {
    return await openBlock(service.database, user.id, service.now());
  } catch (error) {
    service.log("error", "a billing block could not be opened", { userId: user.id, ...errorFields(error) });
    return { kind: "no subscription" };
  }
}

function limitText({ limit, resetsAt }: Extract<BlockState, { kind: "used up" }>, now: number): string {
  const what = limit === "week" ? "weekly limit" : "five-hour limit";
  return `The ${what} of your subscription is used up. It resets ${countdown(resetsAt, now)}.`;
}
