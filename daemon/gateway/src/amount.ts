/** What a budget counts: billionths of a dollar, and tokens of both directions. */
export interface Amount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

export const nothing: Amount = { nanoUsd: 0, tokens: 0 };

export function add(one: Amount, other: Amount): Amount {
  return { nanoUsd: one.nanoUsd + other.nanoUsd, tokens: one.tokens + other.tokens };
}

export function subtract(one: Amount, other: Amount): Amount {
  return { nanoUsd: one.nanoUsd - other.nanoUsd, tokens: one.tokens - other.tokens };
}
