cat > src/days.ts <<'TS'
/** How many days lie between two calendar days; negative when the second is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return (dayOf(to) - dayOf(from)) / 86_400_000;
}

/** Midnight in UTC, whatever the clocks do where this runs. */
function dayOf(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) throw new RangeError(`${text} is no calendar day`);
  return at;
}
TS
