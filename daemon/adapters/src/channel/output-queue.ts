export interface QueueLimits {
  /** At this weight the writer is asked to pause … */
  high: number;
  /** … and from here on to go on. */
  low: number;
}

/** Between a writer that cannot wait and one reader that may be slow. The writer pauses when told to; nothing is lost. */
export class OutputQueue<T> implements AsyncIterable<T> {
  readonly #limits: QueueLimits;
  readonly #flow: { pause(): void; resume(): void };
  #batches: { batch: T; weight: number }[] = [];
  #weight = 0;
  #paused = false;
  #ended = false;
  #reading = false;
  #abandoned = false;
  #wake: ((result: IteratorResult<T>) => void) | undefined;

  constructor(flow: { pause(): void; resume(): void }, limits: QueueLimits = { high: 256 * 1024, low: 64 * 1024 }) {
    this.#flow = flow;
    this.#limits = limits;
  }

  push(batch: T, weight: number): void {
    if (this.#abandoned) return;
    if (this.#wake !== undefined) {
      const wake = this.#wake;
      this.#wake = undefined;
      wake({ done: false, value: batch });
      return;
    }
    this.#batches.push({ batch, weight });
    this.#weight += weight;
    if (this.#weight < this.#limits.high || this.#paused) return;
    this.#paused = true;
    this.#flow.pause();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.({ done: true, value: undefined });
    this.#wake = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    if (this.#reading) throw new Error("The events of an agent are read once, by one reader");
    this.#reading = true;
    return {
      next: () => this.#next(),
      return: () => {
        this.#abandon();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #next(): Promise<IteratorResult<T>> {
    const first = this.#batches.shift();
    if (first !== undefined) {
      this.#weight -= first.weight;
      if (this.#paused && this.#weight <= this.#limits.low) this.#resume();
      return Promise.resolve({ done: false, value: first.batch });
    }
    if (this.#ended || this.#abandoned) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** A reader that left must not stop the writer for ever. */
  #abandon(): void {
    this.#abandoned = true;
    this.#batches = [];
    this.#weight = 0;
    if (this.#paused) this.#resume();
  }

  #resume(): void {
    this.#paused = false;
    this.#flow.resume();
  }
}
