import { leaseMs } from "../money/calls/leases.ts";
import { type Reservation, reserve } from "../money/calls/reserve.ts";
import { refreshQuota } from "../money/grants/quota.ts";
import type { User } from "../people/users.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { countdown } from "./countdown.ts";

export interface Ask extends Pick<Reservation, "requestId" | "runId" | "scope" | "estimate" | "inputEstimate"> {
  /** The provider is called as soon as the credits are held. */
  readonly isDispatched: boolean;
}

/** What was set aside; not covered when that is all the account has left and the call may cost more. */
export interface Held {
  readonly units: number;
  readonly isCovered: boolean;
}

/** G7: credits are left, and as many as the call may cost are set aside. Throws when they are not. */
export async function reserveCredits(user: User, { isDispatched, ...ask }: Ask, service: Service): Promise<Held> {
  const at = service.now();
  await refreshQuota(service.database, user, at);
  const reserved = await reserve(service.database, {
    ...ask,
    ownerId: user.id,
    instanceId: service.instanceId,
    leaseUntil: at + leaseMs,
    dispatchedAt: isDispatched ? at : null,
    at,
  });
  switch (reserved.kind) {
    case "held":
      return { units: reserved.amount, isCovered: reserved.covered };
    case "known":
      throw duplicate(reserved.state === "open");
    case "no credits":
      throw new Refusal(402, `No credits are left. ${nextCredits(user, at)}`);
    case "credits held":
      throw new Refusal(429, "All credits are held by requests that are still running", {
        code: "credits_held",
        headers: { "retry-after": "2" },
      });
  }
}

function duplicate(isOpen: boolean): Refusal {
  if (isOpen) return new Refusal(409, "A request with this key is running", { code: "request_in_progress" });
  return new Refusal(409, "A request with this key has been answered", { code: "duplicate_request" });
}

function nextCredits(user: User, now: number): string {
  if (user.free_units_per_month === 0) return "Ask for more to go on.";
  return `New free credits come ${countdown(user.next_quota_reset, now)}.`;
}
