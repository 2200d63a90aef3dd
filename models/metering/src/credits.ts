/** Money is counted in whole units of 1/1000 credit; nothing smaller is ever rounded away or made up. */
export const unitsPerCredit = 1000;

/** Billionths of a dollar. Services tell prices as decimal dollars, so this is the last place with a fraction. */
export function nanoDollarsOf(dollars: number): number {
  return checkCount(Math.round(dollars * 1e9), "dollars");
}

/** What a cost takes from an account: dollars × 105,500 units, half up. One credit is a cent, plus 5.5 %. */
export function unitsOf(nanoDollars: number): number {
  checkCount(nanoDollars, "nanoDollars");
  return Number((BigInt(nanoDollars) * 211n + 1_000_000n) / 2_000_000n);
}

/** Whole credits shown for a charge, so that the shown charges of a run add up to its rounded sum. */
export function creditsShown(unitsBefore: number, unitsAfter: number): number {
  return roundCredits(unitsAfter) - roundCredits(unitsBefore);
}

/** The dollars from which a client that multiplies by 105.5 and rounds gets exactly these credits back. */
export function dollarsForCredits(credits: number): number {
  return credits / 105.5;
}

function roundCredits(units: number): number {
  return Math.round(units / unitsPerCredit);
}

function checkCount(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`${what} must be a countable amount, not ${value}`);
}
