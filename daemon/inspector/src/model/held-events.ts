import type { UniversalEvent } from "@muster/schema";

/** What one tab holds of a session: what a browser can bear, and more than anybody scrolls through. */
const mostEvents = 100_000;
const mostChars = 100_000_000;

/** The events a page holds, without a hole, up to the newest; and whether there is room for older ones. */
export class HeldEvents {
  readonly all: readonly UniversalEvent[];
  #chars: number;

  constructor(events: readonly UniversalEvent[] = [], chars = sumOf(events)) {
    this.all = events;
    this.#chars = chars;
  }

  /** With older ones before these, or without so many of the oldest. */
  changed(older: readonly UniversalEvent[], gone: number): HeldEvents {
    const chars = this.#chars + sumOf(older) - sumOf(this.all.slice(0, gone));
    return new HeldEvents([...older, ...this.all.slice(gone)], chars);
  }

  get first(): number {
    return this.all[0]?.sequence ?? 1;
  }

  get last(): number {
    return this.all.at(-1)?.sequence ?? 0;
  }

  get isFull(): boolean {
    return this.all.length >= mostEvents || this.#chars >= mostChars;
  }

  /** So much has come that the oldest must go; not with every event, because what is shown is then made anew. */
  get isOver(): boolean {
    return this.all.length >= 1.5 * mostEvents || this.#chars >= 1.5 * mostChars;
  }

  push(event: UniversalEvent): void {
    (this.all as UniversalEvent[]).push(event);
    this.#chars += charsOf(event);
  }

  /** How many of the oldest go so that there is room again; the newest stays, however large it is. */
  surplus(): number {
    let count = this.all.length;
    let chars = this.#chars;
    let gone = 0;
    for (const event of this.all.slice(0, -1)) {
      if (count <= mostEvents && chars <= mostChars) break;
      count--;
      gone++;
      chars -= charsOf(event);
    }
    return gone;
  }
}

function sumOf(events: readonly UniversalEvent[]): number {
  return events.reduce((sum, event) => sum + charsOf(event), 0);
}

/** About how much an event takes: its texts, and something for everything else. */
function charsOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let chars = 16;
  for (const part of Object.values(value)) chars += charsOf(part);
  return chars;
}
