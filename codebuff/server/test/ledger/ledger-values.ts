import { never } from "../../src/database/tables.ts";
import type { Reservation } from "../../src/money/calls/reserve.ts";
import type { Settlement } from "../../src/money/calls/settle.ts";

/** Arguments of the money operations with everything a test does not care about filled in. */
export function reservation(given: Partial<Reservation> & { requestId: string; ownerId: string }): Reservation {
  return {
    runId: null,
    scope: "all",
    estimate: 100,
    inputEstimate: 0,
    instanceId: "one",
    leaseUntil: never,
    dispatchedAt: null,
    at: 10,
    ...given,
  };
}

export function settlement(given: Partial<Settlement> & { requestId: string; ownerId: string }): Settlement {
  return { cost: 0, closedBy: "usage", at: 20, call, ...given };
}

const call: Settlement["call"] = {
  client_id: null,
  model: "vendor/model",
  provider: "openrouter",
  service_id: null,
  input_tokens: 1,
  cached_input_tokens: 0,
  output_tokens: 1,
  reasoning_tokens: 0,
  cost_nano_dollars: 1,
  cost_from: "service",
  own_key: 0,
  free: 0,
  outcome: "completed",
  created_at: 10,
};
