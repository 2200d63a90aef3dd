const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "in 3 days", "in 1 hour", "in 5 minutes", "soon": when something comes back. */
export function countdown(at: number, now: number): string {
  for (const [name, ms] of units) {
    const count = Math.floor((at - now) / ms);
    if (count >= 1) return `in ${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return "soon";
}
