import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "@muster/codebuff-protocol";
import type { Cost } from "@muster/codebuff-runtime";
import { costOfCall, nanoDollarsOf } from "@muster/metering";
import { z } from "zod";

export function usageOf(usage: LanguageModelV3Usage): Usage {
  return {
    inputTokens: usage.inputTokens.total,
    outputTokens: usage.outputTokens.total,
    cachedInputTokens: usage.inputTokens.cacheRead,
    reasoningTokens: usage.outputTokens.reasoning,
  };
}

const Billed = z.looseObject({
  cost: z.number().nonnegative().nullish(),
  cost_details: z.looseObject({ upstream_inference_cost: z.number().nonnegative().nullish() }).nullish(),
});

/** Own key: the service's own word where it gives one, else tokens at the vendor's list price; unknown stays unknown. */
export function ownCost(model: string, usage: LanguageModelV3Usage, at: Date): Cost {
  const dollars = dollarsBilled(usage);
  const cost = costOfCall(
    model,
    {
      inputTokens: usage.inputTokens.total ?? 0,
      cachedInputTokens: usage.inputTokens.cacheRead ?? 0,
      cacheWriteTokens: usage.inputTokens.cacheWrite ?? 0,
      longCacheWriteTokens: 0,
      outputTokens: usage.outputTokens.total ?? 0,
      reasoningTokens: usage.outputTokens.reasoning ?? 0,
      nanoDollars: dollars === undefined ? undefined : nanoDollarsOf(dollars),
    },
    at,
  );
  // A millicredit is a thousandth of a cent: 10,000 nanodollars.
  return cost.from === "nowhere"
    ? { millicredits: 0, known: false }
    : { millicredits: cost.nanoDollars / 1e4, known: true };
}

/** The Codebuff server bills in whole credits and writes dollars from which exactly these come back. */
export function billedCost(usage: LanguageModelV3Usage): Cost {
  const dollars = dollarsBilled(usage);
  return dollars === undefined
    ? { millicredits: 0, known: false }
    : { millicredits: Math.round(dollars * 105.5) * 1000, known: true };
}

function dollarsBilled(usage: LanguageModelV3Usage): number | undefined {
  const billed = Billed.safeParse(usage.raw ?? {});
  if (!billed.success || billed.data.cost == null) return undefined;
  return billed.data.cost + (billed.data.cost_details?.upstream_inference_cost ?? 0);
}
