/** What is being read at one time, so that closing ends all of it. */
export class Readings {
  readonly #open = new Set<Reading>();
  #closed: Error | undefined;

  open(...signals: (AbortSignal | undefined)[]): Reading {
    const reading = new Reading(signals, () => this.#open.delete(reading));
    this.#open.add(reading);
    if (this.#closed !== undefined) reading.abort(this.#closed);
    return reading;
  }

  close(): void {
    this.#closed = new DOMException("The client was closed", "AbortError");
    for (const reading of this.#open) reading.abort(this.#closed);
  }
}

/**
 * A signal that follows those of the caller until `end`. `AbortSignal.any` would do, if a signal that outlives many
 * readings let go of them.
 */
export class Reading {
  readonly #controller = new AbortController();
  readonly #follows: readonly AbortSignal[];
  readonly #follow = () => this.abort(this.#follows.find(({ aborted }) => aborted)?.reason);
  readonly #onEnd: (() => void) | undefined;

  constructor(signals: readonly (AbortSignal | undefined)[], onEnd?: () => void) {
    this.#follows = signals.filter((signal) => signal !== undefined);
    this.#onEnd = onEnd;
    if (this.#follows.some(({ aborted }) => aborted)) this.#follow();
    else for (const signal of this.#follows) signal.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  end(): void {
    for (const signal of this.#follows) signal.removeEventListener("abort", this.#follow);
    this.#onEnd?.();
  }
}
