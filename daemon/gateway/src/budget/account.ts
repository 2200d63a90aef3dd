import { type Amount, add, nothing, subtract } from "../amount.ts";

export type Currency = keyof Amount;

/** A budget in either currency; one that is missing has no limit. */
export type Limits = { readonly [currency in Currency]?: number | undefined };

/** What one session, one group or the daemon has spent, and what its open requests hold. Pure: every change is a new value. */
export interface Account {
  readonly limits: Limits;
  /** Of requests that are over. */
  readonly spent: Amount;
  /** Of requests that are open: their input, and their output as far as it was counted. */
  readonly open: Amount;
  /** The budget of whose four fifths somebody was told. */
  readonly warnedAt?: number | undefined;
  /** The limits at which open requests were cut: closed until they are raised, because every agent asks again after a cut. */
  readonly stoppedAt: Limits;
}

/** An account as its log left it. One that has passed four fifths has been told of it before. */
export function openAccount(limits: Limits, spent: Amount = nothing): Account {
  const account: Account = { limits, spent, open: nothing, stoppedAt: {} };
  return isNearLimit(account) ? { ...account, warnedAt: limits.nanoUsd } : account;
}

export function withLimits(account: Account, limits: Limits): Account {
  const { nanoUsd, tokens } = limits;
  if (account.limits.nanoUsd === nanoUsd && account.limits.tokens === tokens) return account;
  return { ...account, limits };
}

export function hold(account: Account, change: Amount): Account {
  return { ...account, open: add(account.open, change) };
}

/** A request is over: what it held is let go, and what it cost is spent. */
export function settle(account: Account, held: Amount, spent: Amount): Account {
  return { ...account, open: subtract(account.open, held), spent: add(account.spent, spent) };
}

/**
 * In which currency a further request is refused. One whose input is known from the wire must fit; an input that is only
 * guessed by its length is let in while anything is left, so that a guess alone refuses nobody.
 */
export function refusalOf(account: Account, input: Amount, isKnown: boolean): Currency | undefined {
  return currencies.find((currency) => {
    const limit = account.limits[currency];
    if (limit === undefined) return false;
    const stopped = account.stoppedAt[currency];
    if (stopped !== undefined && limit <= stopped) return true;
    const left = limit - usedOf(account)[currency];
    return left <= 0 || (isKnown && input[currency] > left);
  });
}

/** In which currency more is used than there is: the open requests are then cut. */
export function excessOf(account: Account): Currency | undefined {
  const used = usedOf(account);
  return currencies.find((currency) => used[currency] > (account.limits[currency] ?? Number.POSITIVE_INFINITY));
}

export function stopAt(account: Account, currency: Currency): Account {
  return { ...account, stoppedAt: { ...account.stoppedAt, [currency]: account.limits[currency] } };
}

/** Whether somebody is to be told that four fifths are spent: once for each budget. */
export function isWarningDue(account: Account): boolean {
  return isNearLimit(account) && account.warnedAt !== account.limits.nanoUsd;
}

export function usedOf({ spent, open }: Account): Amount {
  return add(spent, open);
}

const currencies = ["nanoUsd", "tokens"] as const satisfies readonly Currency[];

function isNearLimit(account: Account): boolean {
  const { nanoUsd: limit } = account.limits;
  return limit !== undefined && 5 * usedOf(account).nanoUsd >= 4 * limit;
}
