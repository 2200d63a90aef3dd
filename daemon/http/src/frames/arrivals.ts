/**
 * What comes from several places, in the order of its coming, for one reader. A race of promises instead would leave a
 * trace of every round in those that wait long: a quiet session beside a busy one would grow without end.
 */
export class Arrivals<T extends object> {
  readonly #queue: (T | { failure: unknown })[] = [];
  #wake: (() => void) | undefined;

  /** Adds what a promise brings; its failure is thrown to the reader in its turn. */
  expect(coming: Promise<T>): void {
    void coming
      .catch((failure: unknown) => ({ failure }))
      .then((arrived) => {
        this.#queue.push(arrived);
        this.#wake?.();
      });
  }

  async next(): Promise<T> {
    for (;;) {
      const arrived = this.#queue.shift();
      if (arrived === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if ("failure" in arrived) throw arrived.failure;
      else return arrived;
    }
  }
}
