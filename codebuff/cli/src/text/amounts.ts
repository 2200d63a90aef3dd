export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** What is over at once needs no figure. */
export function formatSlow(ms: number): string {
  return ms < 1000 ? "" : formatDuration(ms);
}

/** Small amounts keep the digits that tell them apart: $0.0031, $0.42, $12.30. */
export function formatDollars(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.1 ? `$${usd.toFixed(4).replace(/0+$/, "")}` : `$${usd.toFixed(2)}`;
}

/** What a run has cost, as far as it is known. */
export function formatCost({ usd, isEstimated = false }: { usd: number | undefined; isEstimated?: boolean }): string {
  if (usd === undefined) return "cost unknown";
  return isEstimated ? `about ${formatDollars(usd)}` : formatDollars(usd);
}
