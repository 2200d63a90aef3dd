import { Refusal } from "../refusal.ts";

/** What may be asked of a model on our account: nothing that chooses another model, another price, or work beside the answer. */
const fields = new Set([
  ...["model", "messages", "stream", "stream_options", "n", "codebuff_metadata", "usage", "user", "metadata"],
  ...["max_tokens", "max_completion_tokens", "stop", "seed", "logit_bias", "logprobs", "top_logprobs", "transforms"],
  ...["temperature", "top_p", "top_k", "top_a", "min_p"],
  ...["frequency_penalty", "presence_penalty", "repetition_penalty"],
  ...["tools", "tool_choice", "parallel_tool_calls", "response_format", "structured_outputs"],
  ...["reasoning", "reasoning_effort", "include_reasoning", "verbosity", "prompt_cache_key", "provider"],
]);

/** Which service of the same model answers; `providerOptions` of an agent. */
const providerFields = new Set([
  ...["order", "allow_fallbacks", "only", "ignore", "require_parameters", "data_collection"],
  ...["quantizations", "sort", "max_price"],
]);

/** The refusal of a body that asks for more than its model's answer; undefined when it does not. */
export function findNotAllowed(model: string, body: Readonly<Record<string, unknown>>): Refusal | undefined {
  const field = unknownIn(body, fields);
  if (field !== undefined) return refusal(`The field ${field}`);
  const option = unknownIn(body.provider, providerFields);
  if (option !== undefined) return refusal(`The field provider.${option}`);
  // The same as a plugin, or whatever somebody has stored under a name.
  if (/:online\b|@/.test(model)) return refusal(`The model ${model}`);
  const isFunction = (tool: unknown) => (tool as { type?: unknown } | null)?.type === "function";
  if (Array.isArray(body.tools) && !body.tools.every(isFunction)) return refusal("A tool that is not a function");
  return undefined;
}

function unknownIn(value: unknown, known: ReadonlySet<string>): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.keys(value).find((key) => !known.has(key));
}

function refusal(what: string): Refusal {
  return new Refusal(400, `${what.slice(0, 200)} is not allowed here, only with an own key (x-openrouter-api-key)`, {
    code: "field_not_allowed",
  });
}
