cat > src/bill.ts <<'TS'
/** The parts of an amount in cents, one for each person; those who come first pay the extra cents. */
export function splitBill(cents: number, people: number): number[] {
  if (!Number.isSafeInteger(people) || people < 1) throw new RangeError("A bill is split among one person or more");
  if (!Number.isSafeInteger(cents)) throw new RangeError("An amount is a whole number of cents");
  const sign = Math.sign(cents);
  const each = Math.floor(Math.abs(cents) / people);
  const extra = Math.abs(cents) % people;
  return Array.from({ length: people }, (_, index) => sign * (each + (index < extra ? 1 : 0)) || 0);
}
TS
