import type { priceSources } from "./price-sources.ts";

/** Dollars per million tokens. What has no rate of its own is paid like fresh input. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly longCacheWrite?: number;
}

export interface Price extends Rates {
  /** The first day on which it holds, UTC. */
  readonly from: string;
  /** Where it is written, in `priceSources`. */
  readonly source: keyof typeof priceSources;
  /** Rates for the whole call when its input is longer than this. */
  readonly above?: Rates & { readonly inputTokens: number };
}

export type PriceEntry = readonly Price[];

/** What the sizes of Claude cost; several models of one size have the same rates. */
const claudeRates = {
  haiku3: { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1, longCacheWrite: 1.6 },
  sonnet: { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75, longCacheWrite: 6 },
  sonnet5: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5, longCacheWrite: 4 },
  opus4: { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75, longCacheWrite: 30 },
  opus: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25, longCacheWrite: 10 },
  opus55: { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5, longCacheWrite: 8 },
  haiku: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25, longCacheWrite: 2 },
} as const satisfies Record<string, Rates>;

/**
 * List prices of the vendors, in order of their days; `modelKey` says how a model finds its row. A model is added when a page
 * with its price can be named, never by likeness to another one; without one it has no row.
 */
export const priceTable: Readonly<Record<string, PriceEntry>> = {
  "claude-3-5-haiku": [{ from: "2024-12-03", source: "claude", ...claudeRates.haiku3 }],
  "claude-3-7-sonnet": [{ from: "2025-02-24", source: "claude", ...claudeRates.sonnet }],
  "claude-sonnet-4": [
    {
      from: "2025-05-22",
      source: "litellm",
      ...claudeRates.sonnet,
      above: { inputTokens: 200_000, input: 6, output: 22.5, cachedInput: 0.6, cacheWrite: 7.5, longCacheWrite: 12 },
    },
  ],
  "claude-sonnet-4-5": [{ from: "2025-09-29", source: "claudeModel", ...claudeRates.sonnet }],
  "claude-sonnet-4-6": [{ from: "2026-02-17", source: "claudeModel", ...claudeRates.sonnet }],
  "claude-sonnet-5": [{ from: "2026-06-30", source: "claudeModel", ...claudeRates.sonnet5 }],
  "claude-opus-4": [{ from: "2025-05-22", source: "claude", ...claudeRates.opus4 }],
  "claude-opus-4-1": [{ from: "2025-08-05", source: "claude", ...claudeRates.opus4 }],
  "claude-opus-4-5": [{ from: "2025-11-24", source: "claude", ...claudeRates.opus }],
  "claude-opus-4-6": [{ from: "2026-02-05", source: "claude", ...claudeRates.opus }],
  "claude-opus-5": [{ from: "2026-07-24", source: "claudeModel", ...claudeRates.opus }],
  "claude-opus-5-5": [{ from: "2026-09-22", source: "claudeOpus55", ...claudeRates.opus55 }],
  "claude-haiku-4-5": [{ from: "2025-10-15", source: "claude", ...claudeRates.haiku }],
  "gpt-4o": [{ from: "2024-10-02", source: "openai", input: 2.5, output: 10, cachedInput: 1.25 }],
  "gpt-4o-mini": [{ from: "2024-07-18", source: "openai", input: 0.15, output: 0.6, cachedInput: 0.075 }],
  "gpt-4-1": [{ from: "2025-04-14", source: "openai", input: 2, output: 8, cachedInput: 0.5 }],
  "gpt-4-1-mini": [{ from: "2025-04-14", source: "openai", input: 0.4, output: 1.6, cachedInput: 0.1 }],
  "gpt-4-1-nano": [{ from: "2025-04-14", source: "openai", input: 0.1, output: 0.4, cachedInput: 0.025 }],
  o3: [
    { from: "2025-04-16", source: "openai", input: 10, output: 40, cachedInput: 2.5 },
    { from: "2025-06-10", source: "openaiMarch2026", input: 2, output: 8, cachedInput: 0.5 },
  ],
  "o4-mini": [{ from: "2025-04-16", source: "openai", input: 1.1, output: 4.4, cachedInput: 0.275 }],
  "gpt-5": [{ from: "2025-08-07", source: "openai", input: 1.25, output: 10, cachedInput: 0.125 }],
  "gpt-5-mini": [{ from: "2025-08-07", source: "openai", input: 0.25, output: 2, cachedInput: 0.025 }],
  "gpt-5-nano": [{ from: "2025-08-07", source: "openai", input: 0.05, output: 0.4, cachedInput: 0.005 }],
  "gpt-5-codex": [{ from: "2025-09-23", source: "openaiCodex", input: 1.25, output: 10, cachedInput: 0.125 }],
  "gpt-5-1": [{ from: "2025-11-13", source: "openai", input: 1.25, output: 10, cachedInput: 0.125 }],
  "gpt-5-1-codex": [{ from: "2025-11-13", source: "openai", input: 1.25, output: 10, cachedInput: 0.125 }],
  "gpt-5-1-codex-mini": [{ from: "2025-11-13", source: "openai", input: 0.25, output: 2, cachedInput: 0.025 }],
  "gpt-5-2": [{ from: "2025-12-11", source: "openai", input: 1.75, output: 14, cachedInput: 0.175 }],
  "gpt-6-1-sol": [
    {
      from: "2026-09-29",
      source: "openaiSol61",
      input: 2,
      output: 10,
      cachedInput: 0.1,
      above: { inputTokens: 272_000, input: 4, output: 15, cachedInput: 0.2 },
    },
  ],
  "gemini-2-5-pro": [
    {
      from: "2025-06-17",
      source: "googleForum2025",
      input: 1.25,
      output: 10,
      cachedInput: 0.31,
      above: { inputTokens: 200_000, input: 2.5, output: 15, cachedInput: 0.625 },
    },
    {
      from: "2025-10-01",
      source: "google",
      input: 1.25,
      output: 10,
      cachedInput: 0.125,
      above: { inputTokens: 200_000, input: 2.5, output: 15, cachedInput: 0.25 },
    },
  ],
  "gemini-2-5-flash": [{ from: "2025-06-17", source: "google", input: 0.3, output: 2.5, cachedInput: 0.03 }],
  "gemini-2-5-flash-lite": [{ from: "2025-07-22", source: "google", input: 0.1, output: 0.4, cachedInput: 0.01 }],
  "gemini-3-pro-preview": [
    {
      from: "2025-11-18",
      source: "google",
      input: 2,
      output: 12,
      above: { inputTokens: 200_000, input: 4, output: 18 },
    },
  ],
  "gemini-3-flash-preview": [{ from: "2025-12-17", source: "googleFlash3", input: 0.5, output: 3, cachedInput: 0.05 }],
  "grok-4": [
    {
      from: "2025-07-09",
      source: "xai",
      input: 3,
      output: 15,
      cachedInput: 0.75,
      above: { inputTokens: 128_000, input: 6, output: 30, cachedInput: 0.75 },
    },
  ],
  "grok-4-fast": [
    {
      from: "2025-09-19",
      source: "xai",
      input: 0.2,
      output: 0.5,
      cachedInput: 0.05,
      above: { inputTokens: 128_000, input: 0.4, output: 1, cachedInput: 0.05 },
    },
  ],
  "grok-code-fast-1": [{ from: "2025-08-28", source: "xai", input: 0.2, output: 1.5, cachedInput: 0.02 }],
  "kimi-k2": [{ from: "2025-07-11", source: "fireworksKimi", input: 0.6, output: 2.5 }],
  "deepseek-chat-v3-1": [{ from: "2025-08-21", source: "fireworks", input: 0.56, output: 1.68, cachedInput: 0.28 }],
  "glm-4-6": [{ from: "2025-09-30", source: "litellm", input: 0.55, output: 2.19 }],
  "minimax-m2": [{ from: "2025-10-27", source: "vercel", input: 0.3, output: 1.2 }],
};
