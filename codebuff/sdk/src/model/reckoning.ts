import type { Chunk, Cost, ModelRequest } from "@muster/codebuff-runtime";
import { charactersPerToken, type Protocol, readUsage, type Usage } from "@muster/metering";

/** It is told anew after so many more characters. */
const stepCharacters = 200;

export interface Pricing {
  /** How the service speaks. */
  readonly protocol: Protocol;
  readonly costOf: (usage: Usage) => Cost;
}

/**
 * What an answer has cost so far. A service tells it at the end, and an answer that is interrupted has none: then the
 * input counts as the service told it at the beginning, or by its length, and the output by its length.
 */
export class Reckoning {
  readonly #request: ModelRequest;
  readonly #pricing: Pricing;
  #told: Usage | undefined;
  #characters = 0;
  #nextAt = 1;

  constructor(request: ModelRequest, pricing: Pricing) {
    this.#request = request;
    this.#pricing = pricing;
  }

  /** An event of the service as it came; the first one of some tells the input. */
  hear(event: unknown): void {
    const told = readUsage(this.#pricing.protocol, this.#told, event);
    if (told === this.#told) return;
    this.#told = told;
    this.#nextAt = this.#characters;
  }

  write(characters: number): void {
    this.#characters += characters;
  }

  /** What has to be told now. */
  *due(): Generator<Chunk> {
    if (this.#characters < this.#nextAt) return;
    this.#nextAt = this.#characters + stepCharacters;
    this.#told ??= unheard(this.#request);
    const outputTokens = Math.max(this.#told.outputTokens, Math.ceil(this.#characters / charactersPerToken));
    const usage = { ...this.#told, outputTokens };
    const { inputTokens, cachedInputTokens } = usage;
    const cost = { ...this.#pricing.costOf(usage), estimated: true };
    yield { type: "spent", usage: { inputTokens, outputTokens, cachedInputTokens }, cost };
  }
}

function unheard({ messages, tools }: ModelRequest): Usage {
  return {
    inputTokens: Math.ceil(JSON.stringify([messages, tools]).length / charactersPerToken),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    longCacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
}
