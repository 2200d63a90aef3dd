import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { isBusy } from "./busy.ts";

/** More in one go would let the first wait for the last. */
const mostTogether = 200;
const longestGatherMs = 10;

/**
 * What is asked at about the same time goes to the database together, because the way there and back costs more than the
 * answer: whatever has arrived is read first, and after some were on the way together, the next gather for as long as that
 * took. `answer` does all or nothing. When it fails, each goes on its own, so that nobody fails for what another asked; but
 * not when the database is away or busy: then it may have done it all.
 */
export function together<Database extends object, Ask, Answer>(
  answer: (database: Database, asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (database: Database, ask: Ask) => Promise<Answer> {
  const gatherings = new WeakMap<Database, Gathering<Ask, Answer>>();
  return (database, ask) => {
    const gathering = gatherings.get(database) ?? new Gathering((asks) => answer(database, asks));
    gatherings.set(database, gathering);
    return gathering.ask(ask);
  };
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

class Gathering<Ask, Answer> {
  readonly #answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>;
  readonly #waiting: Waiting<Ask, Answer>[] = [];
  #isAsking = false;

  constructor(answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>) {
    this.#answer = answer;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      if (!this.#isAsking) void this.#askAll();
    });
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    let gatherMs = 0;
    while (this.#waiting.length > 0) {
      await (gatherMs < 1 ? setImmediate() : wait(gatherMs));
      const group = this.#waiting.splice(0, mostTogether);
      const began = performance.now();
      await this.#askGroup(group);
      gatherMs = group.length === 1 ? 0 : Math.min(longestGatherMs, performance.now() - began);
    }
    this.#isAsking = false;
  }

  async #askGroup(group: readonly Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answer(group.map(({ ask }) => ask));
      for (const [place, { resolve }] of group.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      if (group.length === 1 || isBusy(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((one) => this.#askGroup([one])));
    }
  }
}
