import type { IncomingMessage } from "node:http";
import { unitsPerCredit } from "@muster/metering";
import { readRequest } from "../http/request-body.ts";
import { newRequestId } from "../money/calls/request-id.ts";
import type { KnownUser } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import type { Route } from "../routing/route.ts";
import type { Service } from "../service.ts";
import { refuseBanned } from "./ban.ts";
import { openBillingBlock } from "./block.ts";
import { type ChatBody, type ChatRequest, readCall } from "./chat-request.ts";
import { checkCountry } from "./country.ts";
import { isFree, isSupport, mostFreeTokens } from "./free-mode.ts";
import { holdRoute } from "./hold-route.ts";
import { limitFreeMode, limitRate } from "./rate.ts";
import { checkRun } from "./run.ts";
import { knowCaller } from "./user.ts";

/** A request that may go to a model: its credits are held until it is settled or released. */
export interface PassedCall {
  readonly requestId: string;
  readonly user: KnownUser;
  readonly runId: string;
  readonly chat: ChatRequest;
  readonly route: Route;
  /** Units set aside for it. An estimate never charges more. */
  readonly held: number;
  /** The stream is cut when the model has written more than this: nobody pays for it. */
  readonly mostCharacters: number;
  readonly isFree: boolean;
  /** Nobody pays for it unless it costs this many units. */
  readonly freeBelow: number;
  readonly ownKey: string | undefined;
  readonly receivedAt: number;
}

/**
 * The gates in their order; the first that fails answers. A request that is not well formed never opens a billing block, and
 * nothing is held for one that is refused.
 */
export async function passGates(
  request: IncomingMessage,
  service: Service,
): Promise<{ call: PassedCall; body: ChatBody }> {
  const receivedAt = service.now();
  const { runId, costMode, chat, body } = readCall(await readRequest(request, service.times.bodyMs)); // G1
  const user = await knowCaller(request.headers, runId, service); //        G2
  await limitRate(user.sessionId, service); //                              G2b
  refuseBanned(user); //                                                    G3
  if (costMode === "free") await checkCountry(request, service); //         G4
  const run = checkRun(runId, user); //                                     G5
  if (chat instanceof Refusal) throw chat;
  const ownKey = ownKeyOf(request);
  if (ownKey === undefined && chat.notAllowed) throw chat.notAllowed;
  const isFreeMode = ownKey === undefined && isFree(costMode, run.agent, chat.model);
  const isNobodys = ownKey !== undefined || isFreeMode;
  if (isFreeMode) await passFreeMode(chat, user.id, service);
  const scope = isNobodys ? "all" : await openBillingBlock(user, service); // G6
  const given = givenIdOf(request, user.id);
  const requestId = given ?? newRequestId(receivedAt);
  const wanted = { requestId, isNewId: given === undefined, runId: run.id, scope, chat, ownKey, isNobodys };
  const held = await holdRoute(wanted, user, service); //                   G7, G8
  const freeBelow = isSupport(run.agent, chat.model) ? service.config.supportFreeBelow * unitsPerCredit : 0;
  return {
    body,
    call: { requestId, user, runId: run.id, chat, ...held, ownKey, isFree: isFreeMode, freeBelow, receivedAt },
  };
}

async function passFreeMode({ maxTokens }: ChatRequest, userId: string, service: Service): Promise<void> {
  if (maxTokens > mostFreeTokens) throw new Refusal(400, `max_tokens is at most ${mostFreeTokens} in free mode`);
  await limitFreeMode(userId, service);
}

function ownKeyOf(request: IncomingMessage): string | undefined {
  const key = request.headers["x-openrouter-api-key"];
  return typeof key === "string" && key.trim() !== "" ? key.trim() : undefined;
}

function givenIdOf(request: IncomingMessage, userId: string): string | undefined {
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length > 200) throw new Refusal(400, "An Idempotency-Key has at most 200 characters");
  return `${userId}:${key}`;
}
