export interface Retry {
  attempt?: number | undefined;
  most?: number | undefined;
  delayMs?: number | undefined;
  reason?: string | undefined;
}

/** What is told of a retry, for every agent, as far as it is known: `attempt 1 of 3 in 0.6 s: rate_limit (429)`. */
export function retryDetail({ attempt, most, delayMs, reason }: Retry): string | undefined {
  const count = attempt === undefined ? "" : `attempt ${attempt}${most === undefined ? "" : ` of ${most}`}`;
  const wait = delayMs === undefined ? "" : `in ${(delayMs / 1000).toFixed(1)} s`;
  const when = [count, wait].filter(Boolean).join(" ");
  return [when, reason].filter(Boolean).join(": ") || undefined;
}
