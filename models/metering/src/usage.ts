/** The four ways in which model services tell what a call used. */
export type Protocol = "chat" | "messages" | "responses" | "gemini";

/**
 * What a call used, in one meaning for all protocols: `inputTokens` is everything the model read, cached or not;
 * `outputTokens` is everything it wrote, reasoning included.
 */
export interface Usage {
  readonly inputTokens: number;
  /** Part of the input that was read from a cache. */
  readonly cachedInputTokens: number;
  /** Part of the input that was written into a cache. */
  readonly cacheWriteTokens: number;
  /** Part of the cache writes that asked for the long (one hour) life. */
  readonly longCacheWriteTokens: number;
  readonly outputTokens: number;
  /** Part of the output that was reasoning. */
  readonly reasoningTokens: number;
  /** What the service itself says the call cost, in billionths of a dollar. Routers tell it, model vendors do not. */
  readonly nanoDollars?: number | undefined;
}
