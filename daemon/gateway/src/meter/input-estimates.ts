import type { Usage } from "@muster/metering";
import type { Amount } from "../amount.ts";
import { amountOf, type Prices, spendingOf, usageOf } from "./spending.ts";

interface Known {
  /** By our estimate, so that two requests are compared by the same rule. */
  readonly estimatedTokens: number;
  readonly usage: Usage;
}

const mostKnown = 20_000;

/**
 * What the input of the next request costs, by what the wire said of the one before it: most of a conversation comes from the
 * provider's cache at a tenth of the price, which its length does not tell.
 */
export class InputEstimates {
  readonly #known = new Map<string, Known>();

  estimate(key: string, model: string, estimatedTokens: number, prices: Prices): { input: Amount; isKnown: boolean } {
    const known = this.#known.get(key);
    if (known === undefined) {
      return { input: amountOf(spendingOf(model, usageOf(estimatedTokens, 0), prices)), isKnown: false };
    }
    const share = estimatedTokens / Math.max(1, known.estimatedTokens);
    const read = Math.round(known.usage.inputTokens * share);
    const cached = Math.min(known.usage.cachedInputTokens, read);
    const usage = { ...usageOf(read, 0), cachedInputTokens: cached };
    return { input: amountOf(spendingOf(model, usage, prices)), isKnown: true };
  }

  learn(key: string, estimatedTokens: number, usage: Usage): void {
    this.#known.delete(key);
    this.#known.set(key, { estimatedTokens, usage });
    if (this.#known.size <= mostKnown) return;
    for (const [oldest] of this.#known) {
      this.#known.delete(oldest);
      return;
    }
  }
}
