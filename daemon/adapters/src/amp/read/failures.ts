import type { Cause } from "@muster/schema";

/** Amp tells failures in words only. */
const classes: readonly (readonly [words: RegExp, cause: Cause, retryable: boolean])[] = [
  [/unauthorized|access token|api key|forbidden|not logged in/i, "auth_failed", false],
  [/out of credits|insufficient|payment|billing/i, "out_of_credits", false],
  [/rate limit|too many requests/i, "rate_limited", true],
  [/context (window|length|limit)|prompt is too long/i, "context_overflow", false],
  [/require user approval|invalid message format/i, "agent_error", false],
  [
    /overloaded|internal server error|unavailable|fetch failed|connection|network|timed? ?out|terminated/i,
    "provider_error",
    true,
  ],
];

export function failureOf(message: string): { cause: Cause; retryable: boolean } {
  const [, cause = "provider_error", retryable = false] = classes.find(([words]) => words.test(message)) ?? [];
  return { cause, retryable };
}
