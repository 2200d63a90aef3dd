/** What something cost, in thousandths of a credit (one credit is one US cent). `known` is false when a price is missing. */
export interface Cost {
  readonly millicredits: number;
  readonly known: boolean;
}

export const noCost: Cost = { millicredits: 0, known: true };

export function addCosts(...costs: readonly Cost[]): Cost {
  return {
    millicredits: costs.reduce((sum, cost) => sum + cost.millicredits, 0),
    known: costs.every((cost) => cost.known),
  };
}

/** Rounded once, at the end, so that many small costs do not vanish. */
export function creditsOf(cost: Cost): number {
  return Math.round(cost.millicredits / 1000);
}

export function dollarsOf(cost: Cost): number {
  // Binary fractions of small sums would show (0.022972999999999997); prices have no digits beyond the eighth.
  return Math.round(cost.millicredits * 1_000) / 100_000_000;
}
