/** How numbers and times read. */

export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  if (amount < 0.01) return "<$0.01";
  return `$${amount.toFixed(amount < 10 ? 2 : 1)}`;
}

export function count(amount: number): string {
  if (amount < 1_000) return String(amount);
  if (amount < 999_500) return `${trim(amount / 1_000)}k`;
  return `${trim(amount / 1_000_000)}M`;
}

export function bytes(amount: number): string {
  if (amount < 1_000) return `${amount} B`;
  if (amount < 999_500) return `${trim(amount / 1_000)} kB`;
  return `${trim(amount / 1_000_000)} MB`;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trim(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

export function age(time: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1_000);
  if (seconds < 60) return "now";
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function trim(amount: number): string {
  return amount >= 100 ? amount.toFixed(0) : amount.toFixed(1).replace(/\.0$/, "");
}
