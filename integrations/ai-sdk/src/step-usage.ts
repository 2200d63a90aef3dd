import type { HarnessV1StreamPart } from "@ai-sdk/harness";
import type { Usage } from "@muster/client";

type StepUsagePart = Extract<HarnessV1StreamPart, { type: "finish-step" }>["usage"];

const counted = ["inputTokens", "cachedInputTokens", "outputTokens", "reasoningTokens"] as const;
type Counts = Partial<Record<(typeof counted)[number], number>>;

/** Tokens of one turn: the daemon tells the sum so far, the framework wants each step and then the sum. */
export class StepUsage {
  #total: Counts = {};
  #told: Counts = {};

  update(usage: Usage): void {
    this.#total = Object.fromEntries(counted.map((name) => [name, usage[name]]));
  }

  takeStep(): StepUsagePart {
    const told = this.#told;
    this.#told = this.#total;
    return usageOf(
      Object.fromEntries(
        counted.map((name) => {
          const count = this.#total[name];
          return [name, count === undefined ? undefined : Math.max(0, count - (told[name] ?? 0))];
        }),
      ),
    );
  }

  total(): StepUsagePart {
    return usageOf(this.#total);
  }
}

function usageOf({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: Counts): StepUsagePart {
  const noCache = inputTokens === undefined ? undefined : inputTokens - (cachedInputTokens ?? 0);
  const text = outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0);
  return {
    inputTokens: { total: inputTokens, noCache, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text, reasoning: reasoningTokens },
  };
}
