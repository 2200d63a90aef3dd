import { isAway } from "@muster/sql";
import { errorFields } from "../log.ts";
import { inSpite } from "../money/calls/in-spite.ts";
import { leaseMs } from "../money/calls/leases.ts";
import { release } from "../money/calls/release.ts";
import type { User } from "../people/users.ts";
import { Refusal } from "../refusal.ts";
import { charactersPaidBy, estimateCall } from "../routing/estimate.ts";
import { chooseRoute, type Route } from "../routing/route.ts";
import type { Service } from "../service.ts";
import type { ChatRequest } from "./chat-request.ts";
import { type Ask, reserveCredits } from "./credits.ts";

export interface Wanted extends Pick<Ask, "requestId" | "runId" | "scope"> {
  /** The id was made for this request and is not the client's. */
  readonly isNewId: boolean;
  readonly chat: ChatRequest;
  readonly ownKey: string | undefined;
  /** Nobody pays: nothing is held. */
  readonly isNobodys: boolean;
}

export interface HeldRoute {
  readonly route: Route;
  readonly held: number;
  readonly mostCharacters: number;
}

/**
 * G7 and G8: credits are held and it is known where the call goes. Who has no credits is told so first. With a route the call
 * counts as dispatched in the same commit, since the disk is most of what a call waits for: it must go out at once.
 */
export async function holdRoute(wanted: Wanted, user: User, service: Service): Promise<HeldRoute> {
  const { requestId, isNewId, runId, scope, chat, ownKey, isNobodys } = wanted;
  const at = service.now();
  const route = chooseRoute(chat.model, ownKey, service.config);
  const { most, input } = isNobodys ? { most: 0, input: 0 } : estimateCall(chat, service.config.prices);
  const isDispatched = !(route instanceof Refusal);
  const ask = { requestId, runId, scope, estimate: most, inputEstimate: input, isDispatched };
  const held = await reserveCredits(user, ask, service).catch((error: unknown) => {
    // It may have been held before the connection broke; an id that is ours alone can be nobody else's call.
    if (isAway(error) && isNewId) giveBackLater(requestId, user, service);
    throw error;
  });
  if (isDispatched && service.now() < at + leaseMs) {
    return { route, held: held.units, mostCharacters: charactersPaidBy(held, chat, service.config.prices) };
  }
  await release(service.database, { requestId, ownerId: user.id, closedBy: "no route", at: service.now() });
  throw isDispatched ? tooLate() : route;
}

function giveBackLater(requestId: string, { id: ownerId }: User, service: Service): void {
  const end = service.calls.begin();
  const close = { requestId, ownerId, closedBy: "database away", at: service.now() };
  void inSpite(requestId, () => release(service.database, close), service)
    // The lease closes it.
    .catch((error: unknown) => service.log("warn", "credits were not given back", { requestId, ...errorFields(error) }))
    .finally(end);
}

/** Others may have closed it by now, so it must not cost anything any more. */
function tooLate(): Refusal {
  return new Refusal(503, "The request waited for too long", { headers: { "retry-after": "1" } });
}
