import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "@muster/codebuff-protocol";
import type { Cost } from "@muster/codebuff-runtime";
import { costOfCall, type Usage as MeteredUsage, nanoDollarsOf, type Protocol, unitsOf } from "@muster/metering";
import { z } from "zod";
import type { OwnProvider } from "./own-keys.ts";

/** How each kind of service tells what was used. */
export const protocols: Readonly<Record<OwnProvider["type"], Protocol>> = {
  anthropic: "messages",
  openai: "responses",
  openrouter: "chat",
  "openai-compatible": "chat",
};

const unknownCost: Cost = { millicredits: 0, known: false };

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
  const counted = {
    inputTokens: usage.inputTokens.total ?? 0,
    cachedInputTokens: usage.inputTokens.cacheRead ?? 0,
    cacheWriteTokens: usage.inputTokens.cacheWrite ?? 0,
    longCacheWriteTokens: 0,
    outputTokens: usage.outputTokens.total ?? 0,
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
    nanoDollars: dollars === undefined ? undefined : nanoDollarsOf(dollars),
  };
  return listCost(model, counted, at);
}

/** What the vendor takes for these tokens. */
export function listCost(model: string, usage: MeteredUsage, at: Date): Cost {
  const cost = costOfCall(model, usage, at);
  // A millicredit is a thousandth of a cent: 10,000 nanodollars.
  return cost.from === "nowhere" ? unknownCost : { millicredits: cost.nanoDollars / 1e4, known: true };
}

/** What the Codebuff server takes for these tokens. */
export function chargedCost(model: string, usage: MeteredUsage): Cost {
  const cost = costOfCall(model, usage);
  return cost.from === "nowhere" ? unknownCost : { millicredits: unitsOf(cost.nanoDollars), known: true };
}

/** The Codebuff server bills in whole credits and writes dollars from which exactly these come back. */
export function billedCost(usage: LanguageModelV3Usage): Cost {
  const dollars = dollarsBilled(usage);
  return dollars === undefined ? unknownCost : { millicredits: Math.round(dollars * 105.5) * 1000, known: true };
}

function dollarsBilled(usage: LanguageModelV3Usage): number | undefined {
  const billed = Billed.safeParse(usage.raw ?? {});
  if (!billed.success || billed.data.cost == null) return undefined;
  return billed.data.cost + (billed.data.cost_details?.upstream_inference_cost ?? 0);
}
