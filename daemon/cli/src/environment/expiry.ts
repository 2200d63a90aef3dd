const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90m`, `12h` and `30d` from now on as a time; anything else is left as it was typed. */
export function expiryOf(typed: string, now = Date.now()): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(typed) ?? [];
  const ms = unitMs[unit];
  return count === undefined || ms === undefined ? typed : new Date(now + Number(count) * ms).toISOString();
}
