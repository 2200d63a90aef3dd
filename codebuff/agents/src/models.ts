/** Which model does which kind of work. Every agent names one of these. */
export const models = {
  /** Thinks and leads. */
  large: "anthropic/claude-sonnet-4.6",
  /** The same without regard to cost. */
  largest: "anthropic/claude-opus-4.6",
  /** Looks things up, sums up. */
  small: "anthropic/claude-haiku-4.5",
  /** Free of charge. */
  free: "minimax/minimax-m2",
  /** Agent mode: long tasks in one context. */
  agentMode: "google/gemini-2.5-pro",
} as const;
