/** What is being read at one time, so that closing ends all of it. */
export class Readings {
  readonly #open = new Set<Reading>();
  #closed: Error | undefined;

  open(signal?: AbortSignal): Reading {
    const reading = new Reading(signal, () => this.#open.delete(reading));
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
 * A signal that follows the caller's until `end`. `AbortSignal.any` would do, if a signal that outlives many readings
 * let go of them.
 */
export class Reading {
  readonly #controller = new AbortController();
  readonly #follows: AbortSignal | undefined;
  readonly #follow = () => this.abort(this.#follows?.reason);
  readonly #onEnd: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined, onEnd?: () => void) {
    this.#follows = signal;
    this.#onEnd = onEnd;
    if (signal?.aborted) this.#follow();
    else signal?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  end(): void {
    this.#follows?.removeEventListener("abort", this.#follow);
    this.#onEnd?.();
  }
}
