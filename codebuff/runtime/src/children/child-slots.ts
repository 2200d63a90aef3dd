import { untilCancelled } from "../until-cancelled.ts";

/** How many children of one run tree work at once. A child that waits for its own children gives its place back. */
export class ChildSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    let mine: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      mine = resolve;
    });
    this.#waiting.push(mine);
    try {
      await untilCancelled(turn, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(mine);
      if (index === -1) this.give();
      else this.#waiting.splice(index, 1);
      throw error;
    }
  }

  /** Takes a place without waiting, even if there is none: for the aborted, who give it back at once. */
  owe(): void {
    this.#free--;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
