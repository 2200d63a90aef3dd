import { arePaid, type CallLife, outcomeOf } from "@muster/forwarding";
import type { PassedCall } from "../admission/pass-gates.ts";
import { inSpite } from "../money/calls/in-spite.ts";
import { release } from "../money/calls/release.ts";
import type { Settled } from "../money/calls/settle.ts";
import type { Service } from "../service.ts";
import { bill, type Part } from "./bill.ts";

/** One request to the provider that has ended, and what is known of what it used. */
export interface EndedPart extends Part {
  readonly life: CallLife;
}

/** Closes a call with what is owed for its parts; one that was never sent has none. Undefined: its credits were given back. */
export async function closeCall(
  call: PassedCall,
  parts: readonly EndedPart[],
  service: Service,
): Promise<Settled | undefined> {
  const lives = parts.map(({ life }) => life);
  const paid = arePaid(lives);
  const last = lives.find(({ stage }) => stage !== "complete") ?? lives[0];
  if (last && paid.includes(true)) {
    return bill(call, { parts: parts.filter((_, place) => paid[place]), outcome: outcomeOf(last) }, service);
  }
  const closedBy = last === undefined ? "client gone" : "provider error";
  const { requestId, user } = call;
  const close = { requestId, ownerId: user.id, closedBy, at: service.now() };
  await inSpite(requestId, () => release(service.database, close), service);
  return undefined;
}
