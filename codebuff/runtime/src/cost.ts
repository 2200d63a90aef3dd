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
  return cost.millicredits / 100_000;
}
