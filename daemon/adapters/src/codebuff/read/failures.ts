import type { Cause } from "@muster/schema";

interface Failed {
  cause: Cause;
  retryable: boolean;
}

/** Codebuff's code → ours. The first code of a cause is the one it is said with. */
const failures: Readonly<Record<string, Failed>> = {
  out_of_credits: { cause: "out_of_credits", retryable: false },
  account_suspended: { cause: "account_suspended", retryable: false },
  free_mode_unavailable: { cause: "free_mode_unavailable", retryable: false },
  rate_limit_exceeded: { cause: "rate_limited", retryable: true },
  rate_limit: { cause: "rate_limited", retryable: true },
  no_credentials: { cause: "auth_failed", retryable: false },
  bad_credentials: { cause: "auth_failed", retryable: false },
  auth: { cause: "auth_failed", retryable: false },
  network: { cause: "provider_error", retryable: true },
  server: { cause: "provider_error", retryable: true },
  cut: { cause: "provider_error", retryable: true },
  model_error: { cause: "provider_error", retryable: false },
  refused: { cause: "provider_error", retryable: false },
  no_answer: { cause: "provider_error", retryable: true },
  empty_answer: { cause: "provider_error", retryable: true },
  context_overflow: { cause: "context_overflow", retryable: false },
  context_length_exceeded: { cause: "context_overflow", retryable: false },
  unknown_model: { cause: "model_not_found", retryable: false },
  model_not_found: { cause: "model_not_found", retryable: false },
  max_steps: { cause: "max_steps", retryable: false },
  length: { cause: "output_limit", retryable: false },
  content_filter: { cause: "refused", retryable: false },
  budget_exceeded: { cause: "budget_exceeded", retryable: false },
  timeout: { cause: "turn_timeout", retryable: false },
};

const byStatus: Readonly<Record<number, string>> = {
  401: "bad_credentials",
  402: "out_of_credits",
  403: "bad_credentials",
  429: "rate_limit_exceeded",
};

/** What an error line means; a code that is not in the table is a failure of the agent's own. */
export function failureOf({
  code,
  statusCode,
}: {
  code?: string | null | undefined;
  statusCode?: number | null | undefined;
}): Failed {
  if (code && Object.hasOwn(failures, code)) return failures[code] ?? unknown;
  const word = statusCode ? byStatus[statusCode] : undefined;
  if (word !== undefined) return failures[word] ?? unknown;
  return statusCode && statusCode >= 500 ? { cause: "provider_error", retryable: true } : unknown;
}

const unknown: Failed = { cause: "agent_error", retryable: false };

/** The code with which it would have been said; null where no code is needed, undefined where there is none. */
export function codeOf({ cause, retryable }: Failed): string | null | undefined {
  if (cause === unknown.cause && retryable === unknown.retryable) return null;
  return Object.entries(failures).find(([, one]) => one.cause === cause && one.retryable === retryable)?.[0];
}

/** How the process ended, where it said nothing else. */
export const exitCauses: Readonly<Record<number, Cause>> = {
  3: "auth_failed",
  4: "out_of_credits",
  124: "turn_timeout",
};
