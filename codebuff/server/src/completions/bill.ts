import type { Outcome } from "@muster/forwarding";
import { type CallCost, costOfCall, type Usage, unitsOf } from "@muster/metering";
import type { PassedCall } from "../admission/pass-gates.ts";
import { inSpite } from "../money/calls/in-spite.ts";
import { type Settled, type Settlement, settle } from "../money/calls/settle.ts";
import { estimateUsage, flatUnits } from "../routing/estimate.ts";
import type { Service } from "../service.ts";

/** One request to the provider: what it said that was used, else the length of what came back. */
export interface Part {
  readonly usage: Usage | undefined;
  readonly outputCharacters: number;
  /** The id that the provider gave its answer, for asking it about a bill. */
  readonly serviceId?: string | undefined;
}

export interface Used {
  /** Several answers are several requests, each with a price of its own: long ones are dearer. */
  readonly parts: readonly Part[];
  readonly outcome: Outcome;
}

/** Settles a call: by the service's cost, else tokens by price, else by the length of what went to and fro. */
export async function bill(call: PassedCall, used: Used, service: Service): Promise<Settled> {
  const { requestId, user, chat, route } = call;
  const at = service.now();
  const usages = used.parts.map((part) => part.usage ?? estimateUsage(chat, part.outputCharacters));
  const costs = usages.map((usage) => costOfCall(chat.model, usage, new Date(at), service.config.prices));
  const tokens = (count: (usage: Usage) => number) => usages.reduce((sum, usage) => sum + count(usage), 0);
  const nanoDollars = costs.reduce((sum, cost) => sum + (cost.from === "nowhere" ? 0 : cost.nanoDollars), 0);
  const hasPrice = costs.every(({ from }) => from !== "nowhere");
  const from = sourceOf(used.parts, costs);
  const counted = unitsOf(nanoDollars) + (hasPrice ? 0 : flatUnits());
  const units = from === "estimate" ? Math.min(counted, call.held) : counted;
  const isFree = call.isFree || units < call.freeBelow;
  const settlement: Settlement = {
    requestId,
    ownerId: user.id,
    cost: isFree || call.ownKey !== undefined ? 0 : units,
    closedBy: used.outcome,
    at,
    call: {
      client_id: chat.metadata.client_id ?? null,
      model: chat.model,
      provider: route.provider,
      service_id: used.parts[0]?.serviceId ?? null,
      input_tokens: tokens(({ inputTokens }) => inputTokens),
      cached_input_tokens: tokens(({ cachedInputTokens }) => cachedInputTokens),
      output_tokens: tokens(({ outputTokens }) => outputTokens),
      reasoning_tokens: tokens(({ reasoningTokens }) => reasoningTokens),
      cost_nano_dollars: hasPrice ? nanoDollars : null,
      cost_from: from,
      own_key: call.ownKey === undefined ? 0 : 1,
      free: isFree ? 1 : 0,
      outcome: used.outcome,
      created_at: call.receivedAt,
    },
  };
  const settled = await inSpite(requestId, () => settle(service.database, settlement), service);
  tell(call, used, settlement, settled, service);
  return settled;
}

/** The weakest word of them all is what the sum rests on. */
function sourceOf(parts: readonly Part[], costs: readonly CallCost[]): string {
  if (parts.some(({ usage }) => usage === undefined)) return "estimate";
  return (["nowhere", "price table"] as const).find((from) => costs.some((cost) => cost.from === from)) ?? "service";
}

function tell(call: PassedCall, used: Used, { call: record }: Settlement, settled: Settled, service: Service): void {
  const { log, metrics } = service;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = record;
  const facts = {
    userId: call.user.id,
    runId: call.runId,
    model: call.chat.model,
    provider: call.route.provider,
    outcome: used.outcome,
    inputTokens,
    outputTokens,
    units: settled.kind === "charged" ? settled.charged : 0,
  };
  service.tracer?.record({ ...facts, startedAt: call.receivedAt, endedAt: service.now() });
  metrics.count("model_calls", { provider: facts.provider, outcome: used.outcome });
  if (settled.kind === "closed before") {
    log("warn", "usage came after the request had been closed", { requestId: call.requestId, ...facts });
    return;
  }
  metrics.count("units_charged", {}, settled.charged);
  metrics.count("units_waived", {}, settled.waived);
  log("info", "model call", { requestId: call.requestId, ...facts, ms: service.now() - call.receivedAt });
}
