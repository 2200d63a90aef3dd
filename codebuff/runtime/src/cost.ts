/** What something cost, in thousandths of a credit (one credit is one US cent). `known` is false when a price is missing. */
export interface Cost {
  readonly millicredits: number;
  readonly known: boolean;
  /** Part of it was reckoned by the length of what was said, because a service did not get to tell it. */
  readonly estimated?: boolean;
}

export const noCost: Cost = { millicredits: 0, known: true };

export function addCosts(...costs: readonly Cost[]): Cost {
  const sum: Cost = {
    millicredits: costs.reduce((total, cost) => total + cost.millicredits, 0),
    known: costs.every((cost) => cost.known),
  };
  return costs.some((cost) => cost.estimated === true) ? { ...sum, estimated: true } : sum;
}

/** Rounded once, at the end, so that many small costs do not vanish. */
export function creditsOf(cost: Cost): number {
  return Math.round(cost.millicredits / 1000);
}

export function dollarsOf(cost: Cost): number {
  // Binary fractions of small sums would show (0.022972999999999997); prices have no digits beyond the eighth.
  return Math.round(cost.millicredits * 1_000) / 100_000_000;
}
