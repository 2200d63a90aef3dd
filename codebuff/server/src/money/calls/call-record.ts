import type { Settlement } from "./settle.ts";

/** The record of a call of which no tokens are known. */
export function unmeteredCall(
  given: Pick<Settlement["call"], "model" | "provider" | "cost_from" | "outcome" | "created_at">,
): Settlement["call"] {
  return {
    client_id: null,
    service_id: null,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    cost_nano_dollars: null,
    own_key: 0,
    free: 0,
    ...given,
  };
}
