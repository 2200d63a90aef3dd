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
