import type { Cause } from "@muster/schema";

interface Failed {
  cause: Cause;
  retryable: boolean;
}

/** Claude's word for what went wrong with the API → ours. */
const classes: Readonly<Record<string, Failed>> = {
  authentication_failed: { cause: "auth_failed", retryable: false },
  oauth_org_not_allowed: { cause: "auth_failed", retryable: false },
  billing_error: { cause: "auth_failed", retryable: false },
  rate_limit: { cause: "rate_limited", retryable: true },
  server_error: { cause: "provider_error", retryable: true },
  overloaded: { cause: "provider_error", retryable: true },
  model_not_found: { cause: "model_not_found", retryable: false },
  max_output_tokens: { cause: "output_limit", retryable: false },
  unknown: { cause: "provider_error", retryable: false },
};

/** A limit of its own that ended the turn is told by the kind of the result. */
export function limitOf(subtype: string | null | undefined): Failed | undefined {
  const cause = subtype && Object.hasOwn(limits, subtype) ? limits[subtype] : undefined;
  return cause && { cause, retryable: false };
}

const limits: Readonly<Record<string, Cause>> = {
  error_max_turns: "max_steps",
  error_max_budget_usd: "budget_exceeded",
  error_max_structured_output_retries: "agent_error",
};

/** The word with which Claude would have said it; undefined where it has none. */
export function classOf({ cause, retryable }: Failed): string | undefined {
  return Object.keys(classes).find((name) => classes[name]?.cause === cause && classes[name]?.retryable === retryable);
}

export function failureOf(said: { error?: string | null | undefined; text: string; isRefusal?: boolean }): Failed {
  const { error, text, isRefusal = false } = said;
  if (isRefusal) return { cause: "refused", retryable: false };
  if (/prompt is too long|context (window|length|limit)/i.test(text)) {
    return { cause: "context_overflow", retryable: false };
  }
  const known = error && Object.hasOwn(classes, error) ? classes[error] : undefined;
  return known ?? { cause: "provider_error", retryable: false };
}
