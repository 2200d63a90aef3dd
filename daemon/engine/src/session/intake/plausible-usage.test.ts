import { eventData } from "@muster/schema";
import { expect, it } from "vitest";
import { plausibleUsage } from "./plausible-usage.ts";

it("keeps what can be so and bounds the rest", () => {
  const usual = { inputTokens: 12, outputTokens: 3, cachedInputTokens: 5, contextWindow: 200_000, costUsd: 0.25 };
  expect(plausibleUsage(usual)).toEqual(usual);
  const odd = plausibleUsage({
    inputTokens: -5,
    outputTokens: 1e308,
    reasoningTokens: Number.NaN,
    contextWindow: -1,
    costUsd: -1,
  });
  expect(odd).toEqual({ inputTokens: 0, outputTokens: 1e12, reasoningTokens: 0, contextWindow: undefined, costUsd: 0 });
  expect(eventData["usage.updated"].safeParse(odd).success).toBe(true);
  expect(plausibleUsage({ inputTokens: 1.5, outputTokens: 0 })).toEqual({ inputTokens: 1, outputTokens: 0 });
});
