cat > src/bill.ts <<'TS'
/** The parts of an amount in cents, one for each person. */
export function splitBill(cents: number, people: number): number[] {
  const parts = Array.from({ length: people }, () => Math.floor(cents / people));
  parts[0] = (parts[0] ?? 0) + cents - parts.reduce((a, b) => a + b, 0);
  return parts;
}
TS
