/** Work done one after the other, in the order it came, whatever became of the work before. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  /** Resolves when everything that was given so far is done. */
  async idle(): Promise<void> {
    // Whoever gave the work hears of its failure.
    await this.#last.catch(() => undefined);
  }
}

/** One queue per key; a key without work costs nothing. */
export class SerialQueues {
  readonly #queues = new Map<string, { queue: SerialQueue; pending: number }>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? { queue: new SerialQueue(), pending: 0 };
    this.#queues.set(key, entry);
    entry.pending++;
    try {
      return await entry.queue.run(work);
    } finally {
      if (--entry.pending === 0) this.#queues.delete(key);
    }
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ queue }) => queue.idle()));
  }
}
