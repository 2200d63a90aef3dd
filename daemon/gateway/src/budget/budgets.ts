import { type Amount, add, nothing, subtract } from "../amount.ts";
import {
  type Account,
  type Currency,
  excessOf,
  hold,
  isWarningDue,
  type Limits,
  openAccount,
  refusalOf,
  settle,
  stopAt,
  usedOf,
  withLimits,
} from "./account.ts";

/** Whose budget it is, as a request meets it. */
export interface Scope {
  readonly kind: "session" | "group" | "daemon";
  readonly id: string;
  readonly limits: Limits;
  /** What was spent before this process, asked for once. */
  spentBefore(): Amount;
}

export interface Admission {
  readonly requestId: string;
  readonly scopes: readonly Scope[];
  /** What its input costs by estimate. */
  readonly input: Amount;
  /** The estimate rests on what the wire told of the request before. */
  readonly isKnown: boolean;
}

/** A budget that is used up, and whose requests that concerns. */
export interface Reached {
  readonly kind: Scope["kind"];
  readonly id: string;
  readonly currency: Currency;
  readonly used: Amount;
  readonly limit: number;
}

/** What follows from a change: who is told, and which requests are cut now that all further ones are refused. */
export interface Consequences {
  readonly warned: readonly { kind: Scope["kind"]; id: string; usedNanoUsd: number; limitNanoUsd: number }[];
  readonly cut: readonly { requestId: string; reached: Reached }[];
}

interface OpenRequest {
  readonly keys: readonly string[];
  readonly input: Amount;
  readonly output: Amount;
}

/**
 * Budgets of sessions, groups and the daemon, and the requests that draw on them: a request holds its input, and all open
 * ones draw their output on one common remainder. No clock and no I/O.
 */
export class Budgets {
  readonly #accounts = new Map<string, { scope: Pick<Scope, "kind" | "id">; account: Account; open: Set<string> }>();
  readonly #requests = new Map<string, OpenRequest>();

  /** Holds the input of a request in all its budgets, or in none: then the first that refuses it. */
  admit({ requestId, scopes, input, isKnown }: Admission): Reached | undefined {
    for (const scope of scopes) {
      const entry = this.#entry(scope);
      const currency = refusalOf(entry.account, input, isKnown);
      if (currency !== undefined) return reachedOf(scope, entry.account, currency);
    }
    const keys = scopes.map(keyOf);
    for (const key of keys) this.#change(key, (account) => hold(account, input)).open.add(requestId);
    this.#requests.set(requestId, { keys, input, output: nothing });
    return undefined;
  }

  /** What an open request has used so far, in place of what was known of it. */
  draw(requestId: string, { input, output }: { input?: Amount | undefined; output: Amount }): Consequences {
    const before = this.#requests.get(requestId);
    if (before === undefined) return { warned: [], cut: [] };
    const now = { ...before, input: input ?? before.input, output };
    this.#requests.set(requestId, now);
    const change = subtract(add(now.input, now.output), add(before.input, before.output));
    for (const key of now.keys) this.#change(key, (account) => hold(account, change));
    return this.#consequencesFor(now.keys);
  }

  /** A request is over and has cost this. */
  settle(requestId: string, spent: Amount): Consequences {
    const request = this.#requests.get(requestId);
    if (request === undefined) return { warned: [], cut: [] };
    this.#requests.delete(requestId);
    const held = add(request.input, request.output);
    for (const key of request.keys) this.#change(key, (account) => settle(account, held, spent)).open.delete(requestId);
    return this.#consequencesFor(request.keys);
  }

  used(kind: Scope["kind"], id: string): Amount {
    const entry = this.#accounts.get(keyOf({ kind, id }));
    return entry === undefined ? nothing : usedOf(entry.account);
  }

  /** What its log says is asked for again at the next request; nothing is open any more. */
  forget(kind: Scope["kind"], id: string): void {
    const key = keyOf({ kind, id });
    if (this.#accounts.get(key)?.open.size === 0) this.#accounts.delete(key);
  }

  #entry(scope: Scope) {
    const key = keyOf(scope);
    const known = this.#accounts.get(key);
    if (known !== undefined) {
      known.account = withLimits(known.account, scope.limits);
      return known;
    }
    const account = openAccount(scope.limits, scope.spentBefore());
    const entry = { scope: { kind: scope.kind, id: scope.id }, account, open: new Set<string>() };
    this.#accounts.set(key, entry);
    return entry;
  }

  #change(key: string, change: (account: Account) => Account) {
    const entry = this.#accounts.get(key);
    if (entry === undefined) throw new Error(`There is no account ${key}`);
    entry.account = change(entry.account);
    return entry;
  }

  #consequencesFor(keys: readonly string[]): Consequences {
    const warned: Consequences["warned"][number][] = [];
    const cut: Consequences["cut"][number][] = [];
    for (const key of keys) {
      const entry = this.#accounts.get(key);
      if (entry === undefined) continue;
      const { account, scope } = entry;
      const { nanoUsd: limit } = account.limits;
      if (limit !== undefined && isWarningDue(account)) {
        entry.account = { ...account, warnedAt: limit };
        warned.push({ ...scope, usedNanoUsd: usedOf(account).nanoUsd, limitNanoUsd: limit });
      }
      const currency = entry.open.size > 0 ? excessOf(account) : undefined;
      // Once stopped, nothing was let in since: what is still open is being cut.
      if (currency === undefined || account.stoppedAt[currency] === account.limits[currency]) continue;
      entry.account = stopAt(entry.account, currency);
      const reached = reachedOf(scope, account, currency);
      for (const requestId of entry.open) cut.push({ requestId, reached });
    }
    return { warned, cut };
  }
}

function reachedOf({ kind, id }: Pick<Scope, "kind" | "id">, account: Account, currency: Currency): Reached {
  return { kind, id, currency, used: usedOf(account), limit: account.limits[currency] ?? 0 };
}

function keyOf({ kind, id }: Pick<Scope, "kind" | "id">): string {
  return `${kind} ${id}`;
}
