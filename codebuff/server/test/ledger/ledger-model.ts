import type { GrantKind } from "../../src/database/tables.ts";
import { priorities } from "../../src/money/grants/priorities.ts";

interface ModelGrant {
  id: string;
  kind: GrantKind;
  remaining: number;
  expiresAt: number;
  at: number;
}

interface ModelHold {
  amount: number;
  covered: boolean;
  scope: "all" | "subscription";
  isOpen: boolean;
}

/** The rules of money on plain values: what the database must agree with after every operation. */
export class LedgerModel {
  now = 1;
  readonly grants: ModelGrant[] = [];
  readonly holds = new Map<string, ModelHold>();

  get balance(): number {
    return this.grants.reduce((sum, { remaining }) => sum + remaining, 0);
  }

  get held(): number {
    return this.#open().reduce((sum, { amount }) => sum + amount, 0);
  }

  grant(id: string, kind: GrantKind, units: number, expiresAt: number): boolean {
    if (this.grants.some((grant) => grant.id === id)) return false;
    const debt = this.grants.find(({ remaining }) => remaining < 0);
    const repaid = Math.min(units, -(debt?.remaining ?? 0));
    if (debt) debt.remaining += repaid;
    this.grants.push({ id, kind, remaining: units - repaid, expiresAt, at: this.now });
    return true;
  }

  expire(): void {
    for (const grant of this.#inOrder()) {
      if (grant.expiresAt > this.now || grant.remaining <= 0) continue;
      grant.remaining -= Math.max(0, Math.min(grant.remaining, this.balance - this.held));
    }
  }

  reserve(id: string, estimate: number, scope: "all" | "subscription"): string {
    if (this.holds.has(id)) return "known";
    this.expire();
    if (estimate > 0 && this.balance <= 0) return "no credits";
    const amount = Math.min(estimate, this.balance - this.held);
    if (estimate > 0 && amount <= 0) return "credits held";
    const covered = estimate === 0 || amount === estimate;
    if (!covered && this.#open().some((hold) => !hold.covered)) return "credits held";
    this.holds.set(id, { amount: estimate === 0 ? 0 : amount, covered, scope, isOpen: true });
    return "held";
  }

  settle(id: string, cost: number): number | undefined {
    const hold = this.holds.get(id);
    if (!hold?.isOpen) return undefined;
    hold.isOpen = false;
    let left = cost;
    for (const grant of this.#inOrder()) {
      if (hold.scope === "subscription" && grant.kind !== "subscription") continue;
      const taken = Math.min(left, Math.max(0, grant.remaining));
      grant.remaining -= taken;
      left -= taken;
    }
    const others = this.#inOrder().filter(({ kind }) => kind !== "subscription");
    const debtor = others.find(({ remaining }) => remaining < 0) ?? others.at(-1);
    if (left > 0 && hold.scope === "all" && debtor) {
      debtor.remaining -= left;
      left = 0;
    }
    return cost - left;
  }

  release(id: string): boolean {
    const hold = this.holds.get(id);
    if (!hold?.isOpen) return false;
    hold.isOpen = false;
    return true;
  }

  #open(): ModelHold[] {
    return [...this.holds.values()].filter(({ isOpen }) => isOpen);
  }

  #inOrder(): ModelGrant[] {
    return this.grants.toSorted(
      (one, other) =>
        priorities[one.kind] - priorities[other.kind] ||
        one.expiresAt - other.expiresAt ||
        one.at - other.at ||
        (one.id < other.id ? -1 : 1),
    );
  }
}
