/** The parts of an amount in cents, one for each person. */
export function splitBill(cents: number, people: number): number[] {
  return Array.from({ length: people }, () => Math.round(cents / people));
}
