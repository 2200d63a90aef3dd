import { isRecord } from "@muster/core";
import { nanoDollarsOf } from "./credits.ts";
import type { Protocol, Usage } from "./usage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Folds one parsed event of a stream into what is known so far. The last word of the service counts. */
export function readUsage(protocol: Protocol, known: Usage | undefined, event: unknown): Usage | undefined {
  if (!isRecord(event)) return known;
  const found = readers[protocol](event, known);
  return found ?? known;
}

/** What an answer that did not stream used. */
export function usageOfBody(protocol: Protocol, body: unknown): Usage | undefined {
  // Gemini tells a stream without frames as a list of its pieces; the last one has the sum.
  if (protocol === "gemini")
    return [body].flat().reduce<Usage | undefined>((known, piece) => readUsage(protocol, known, piece), undefined);
  if (!isRecord(body) || !isRecord(body.usage)) return undefined;
  return fromFields[protocol](body.usage, undefined);
}

/** Dollars in a Chat Completions usage: the router's price plus what it says the vendor took. */
function dollarsBilledBy(usage: unknown): number | undefined {
  if (!isRecord(usage)) return undefined;
  const details = isRecord(usage.cost_details) ? usage.cost_details : {};
  const cost = dollars(usage.cost);
  const upstream = dollars(details.upstream_inference_cost);
  return cost === undefined && upstream === undefined ? undefined : (cost ?? 0) + (upstream ?? 0);
}

const readers: Readonly<Record<Protocol, (event: Fields, known: Usage | undefined) => Usage | undefined>> = {
  chat: (event) => (isRecord(event.usage) ? fromChat(event.usage) : undefined),
  // message_start tells the input, message_delta the output so far (and, newer, the input again).
  messages: (event, known) => {
    if (event.type === "message_start" && isRecord(event.message) && isRecord(event.message.usage)) {
      return fromMessages(event.message.usage, undefined);
    }
    return event.type === "message_delta" && isRecord(event.usage) ? fromMessages(event.usage, known) : undefined;
  },
  responses: (event) =>
    isRecord(event.response) && isRecord(event.response.usage) ? fromResponses(event.response.usage) : undefined,
  gemini: (event) => (isRecord(event.usageMetadata) ? fromGemini(event.usageMetadata) : undefined),
};

const fromFields: Readonly<
  Record<Exclude<Protocol, "gemini">, (usage: Fields, known: Usage | undefined) => Usage | undefined>
> = {
  chat: fromChat,
  messages: fromMessages,
  responses: fromResponses,
};

/** Undefined for a usage in which nothing is told: an empty one is no word about what was used, least of all the last. */
function fromChat(usage: Fields): Usage | undefined {
  const input = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const output = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const billed = dollarsBilledBy(usage);
  if (billed === undefined && !isCount(usage.prompt_tokens) && !isCount(usage.completion_tokens)) return undefined;
  return {
    inputTokens: count(usage.prompt_tokens),
    cachedInputTokens: count(input.cached_tokens),
    cacheWriteTokens: count(input.cache_write_tokens),
    longCacheWriteTokens: 0,
    outputTokens: count(usage.completion_tokens),
    reasoningTokens: count(output.reasoning_tokens),
    nanoDollars: billed === undefined ? undefined : nanoDollarsOf(billed),
  };
}

/** Anthropic counts cached input beside `input_tokens`, not inside it. */
function fromMessages(usage: Fields, known: Usage | undefined): Usage {
  const creation = isRecord(usage.cache_creation) ? usage.cache_creation : {};
  const cached = count(usage.cache_read_input_tokens, known?.cachedInputTokens);
  const written = count(usage.cache_creation_input_tokens, known?.cacheWriteTokens);
  const fresh = known && known.inputTokens - known.cachedInputTokens - known.cacheWriteTokens;
  const details = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    inputTokens: count(usage.input_tokens, fresh) + cached + written,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    longCacheWriteTokens: count(creation.ephemeral_1h_input_tokens, known?.longCacheWriteTokens),
    outputTokens: count(usage.output_tokens, known?.outputTokens),
    reasoningTokens: count(details.thinking_tokens, known?.reasoningTokens),
  };
}

function fromResponses(usage: Fields): Usage {
  const input = isRecord(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    inputTokens: count(usage.input_tokens),
    cachedInputTokens: count(input.cached_tokens),
    cacheWriteTokens: count(input.cache_write_tokens),
    longCacheWriteTokens: 0,
    outputTokens: count(usage.output_tokens),
    reasoningTokens: count(output.reasoning_tokens),
  };
}

/** Gemini counts thoughts beside what it answered, and what tools read beside the prompt. */
function fromGemini(usage: Fields): Usage {
  const thoughts = count(usage.thoughtsTokenCount);
  return {
    inputTokens: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
    cachedInputTokens: count(usage.cachedContentTokenCount),
    cacheWriteTokens: 0,
    longCacheWriteTokens: 0,
    outputTokens: count(usage.candidatesTokenCount) + thoughts,
    reasoningTokens: thoughts,
  };
}

/** No call is as long or as dear as this; whoever says so is broken, and exact sums would not hold such numbers. */
const mostTokens = 100_000_000;
const mostDollars = 20_000;

/** Counts come from outside: anything that is not a count is taken as not told. */
function count(value: unknown, otherwise = 0): number {
  return isCount(value) ? value : otherwise;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens;
}

function dollars(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= mostDollars ? value : undefined;
}
