import fc from "fast-check";
import { expect, it } from "vitest";
import { costOfCall } from "./cost.ts";
import { creditsShown, dollarsForCredits, nanoDollarsOf, unitsOf, unitsPerCredit } from "./credits.ts";
import { priceSources } from "./price-sources.ts";
import { priceTable } from "./price-table.ts";
import { modelKey, priceOf } from "./prices.ts";
import type { Usage } from "./usage.ts";

const none: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  longCacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
const day = (text: string) => new Date(`${text}T12:00:00Z`);

it("each kind of token has its rate", () => {
  const usage = {
    ...none,
    inputTokens: 1000,
    cachedInputTokens: 600,
    cacheWriteTokens: 300,
    longCacheWriteTokens: 100,
    outputTokens: 10,
  };
  // Dollars per million: 100 × 3 + 600 × 0.3 + 200 × 3.75 + 100 × 6 + 10 × 15 = 1,980
  expect(costOfCall("anthropic/claude-sonnet-4.5", usage, day("2025-12-01"))).toMatchObject({
    from: "price table",
    nanoDollars: 1_980_000,
  });
});

it("a long input has rates of its own", () => {
  const at = (inputTokens: number) =>
    costOfCall("google/gemini-2.5-pro", { ...none, inputTokens, outputTokens: 1000 }, day("2026-01-01"));
  expect(at(200_000)).toMatchObject({ nanoDollars: 200_000 * 1250 + 10_000_000 });
  expect(at(200_001)).toMatchObject({ nanoDollars: 200_001 * 2500 + 15_000_000 });
});

it("a price holds from its day on", () => {
  expect(priceOf("o3", day("2025-04-15"))).toBeUndefined();
  expect(priceOf("o3", day("2025-06-09"))?.input).toBe(10);
  expect(priceOf("openai/o3", day("2025-06-10"))?.input).toBe(2);
});

it("a model without a price says so, and the word of the service wins", () => {
  expect(costOfCall("vendor/unknown-1", none)).toEqual({
    from: "nowhere",
    reason: "No price is known for vendor/unknown-1",
  });
  expect(costOfCall("constructor", none).from).toBe("nowhere");
  expect(costOfCall("vendor/unknown-1", { ...none, nanoDollars: 7 })).toEqual({ from: "service", nanoDollars: 7 });
});

it.each([
  ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["openai/gpt-4.1-2025-04-14", "gpt-4-1"],
  ["google/gemini-2.5-pro:nitro", "gemini-2-5-pro"],
  ["vendor/model:free", "model:free"],
  ["accounts/fireworks/models/glm-4p6", "glm-4p6"],
])("%s is found as %s", (model, key) => expect(modelKey(model)).toBe(key));

it("the table is in order: keys as they are looked up, days ascending, rates countable in picodollars, each with its page", () => {
  const named = new Set<string>();
  for (const [key, entries] of Object.entries(priceTable)) {
    expect(modelKey(key)).toBe(key);
    const days = entries.map(({ from }) => from);
    expect([...days].sort()).toEqual(days);
    for (const { from: _, source, above, ...rates } of entries) {
      named.add(source);
      for (const rate of [...Object.values(rates), ...Object.values(above ?? {})]) {
        expect(Math.abs(rate * 1e6 - Math.round(rate * 1e6))).toBeLessThan(1e-6);
      }
    }
  }
  expect([...named].sort(), "pages nobody cites are taken out").toEqual(Object.keys(priceSources).sort());
  for (const { page, url, checked } of Object.values(priceSources)) {
    expect(page).not.toBe("");
    expect(new URL(url).protocol).toBe("https:");
    expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  }
});

it("the models whose price the vendor itself confirms are those that the documents name", () => {
  const confirmed = Object.entries(priceTable).flatMap(([key, entries]) =>
    entries.every(({ source }) => priceSources[source].by === "vendor") ? [key] : [],
  );
  const claude = Object.keys(priceTable).filter((key) => key.startsWith("claude-") && key !== "claude-sonnet-4");
  expect(confirmed.sort()).toEqual([...claude, "deepseek-chat-v3-1", "gpt-5-codex"].sort());
});

it("units are dollars × 105,500, half up, exact for every countable amount", () => {
  expect(unitsOf(nanoDollarsOf(0.02))).toBe(2110);
  expect(unitsOf(0)).toBe(0);
  fc.assert(
    fc.property(fc.maxSafeNat(), (nano) => {
      const exact = BigInt(nano) * 105_500n * 2n;
      const units = BigInt(unitsOf(nano));
      const rest = exact - units * 2_000_000_000n;
      expect(rest >= -1_000_000_000n && rest < 1_000_000_000n).toBe(true);
    }),
  );
  expect(() => unitsOf(-1)).toThrow(RangeError);
  expect(() => nanoDollarsOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
});

it("the client's formula gives exactly the credits shown, from 0 to 200,000", () => {
  for (let credits = 0; credits <= 200_000; credits++) {
    if (Math.round(dollarsForCredits(credits) * 100 * 1.055) !== credits) expect.fail(`${credits} credits`);
    if (Math.round((dollarsForCredits(credits) + 0) * (1 + 0.055) * 100) !== credits) expect.fail(`${credits} credits`);
  }
});

it("the credits shown in a run add up to its rounded sum", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000_000), { maxLength: 50 }), (charges) => {
      let sum = 0;
      let shown = 0;
      for (const charge of charges) {
        shown += creditsShown(sum, sum + charge);
        sum += charge;
      }
      expect(Math.abs(shown - sum / unitsPerCredit)).toBeLessThanOrEqual(0.5);
    }),
  );
});
