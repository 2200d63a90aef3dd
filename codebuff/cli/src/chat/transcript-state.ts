import type { Place, Tail } from "../run/load-tail.ts";
import { dollarsOfRun } from "../text/run-cost.ts";
import { fold } from "../transcript/fold.ts";
import type { Entry, Item } from "../transcript/items.ts";
import { foldPlan, noPlan, type Plan } from "../transcript/plan.ts";

/** Reads the part of the session that ends at a place. */
export type ReadBefore = (place: Place) => Promise<Tail>;

/** What has happened in the chat so far: items, plan and costs. What an earlier process left is read when it is wanted. */
export class TranscriptState {
  #items: readonly Item[] = [];
  #earlier: readonly Item[] = [];
  #plan: Plan = noPlan;
  #sessionUsd = 0;
  #before: Place | undefined;
  #readBefore: ReadBefore | undefined;
  #isReading = false;

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Items of the session that stood before `items`, as far as they have been read. */
  get earlier(): readonly Item[] {
    return this.#earlier;
  }

  get plan(): Plan {
    return this.#plan;
  }

  /** What the session has cost, sub-agents and tools included, also in earlier processes. */
  get sessionUsd(): number {
    return this.#sessionUsd;
  }

  add(entry: Entry): void {
    this.#items = fold(this.#items, entry);
    this.#plan = foldPlan(this.#plan, entry);
    if (entry.type === "finish") this.#sessionUsd += dollarsOfRun(entry);
  }

  /** Another session begins; what stands on the screen stays there. */
  begin(): void {
    this.#plan = noPlan;
    this.#sessionUsd = 0;
    this.#earlier = [];
    this.#before = undefined;
  }

  /** Goes on with the end of a session; `from` is where its items begin. */
  open(tail: Tail, readBefore: ReadBefore): { from: number } {
    const from = this.#items.length;
    this.#items = [...this.#items, ...tail.items];
    this.#plan = tail.plan;
    this.#sessionUsd = tail.usd;
    this.#earlier = [];
    this.#before = tail.before;
    this.#readBefore = readBefore;
    return { from };
  }

  /** Reads one page more of what stood before; false when there is none or it is being read. */
  async readEarlier(): Promise<boolean> {
    if (this.#before === undefined || this.#readBefore === undefined || this.#isReading) return false;
    this.#isReading = true;
    try {
      const { items, before } = await this.#readBefore(this.#before);
      this.#earlier = [...items, ...this.#earlier];
      this.#before = before;
      return true;
    } finally {
      this.#isReading = false;
    }
  }
}
