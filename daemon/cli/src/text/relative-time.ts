const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `now`, `5 min ago`, `3 h ago`, `yesterday`, `12 days ago`; what is older than a month by its date. */
export function relativeTime(time: string, now: number): string {
  const ms = now - Date.parse(time);
  if (Number.isNaN(ms)) return "-";
  if (ms < minuteMs) return "now";
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ago`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ago`;
  if (ms < 2 * dayMs) return "yesterday";
  return ms < 31 * dayMs ? `${Math.floor(ms / dayMs)} days ago` : time.slice(0, 10);
}
