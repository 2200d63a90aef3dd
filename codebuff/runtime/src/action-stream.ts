import type { RuntimeAction } from "@muster/codebuff-protocol";

/** Actions that may wait for the reader before a model is not read on. */
const mostWaiting = 16;

/**
 * The actions of one run on their way to its one reader, in the order in which they were sent. Nothing is taken after the
 * last one, which is `prompt-response` or `prompt-error`.
 */
export class ActionStream implements AsyncIterable<RuntimeAction> {
  readonly #signal: AbortSignal;
  #waiting: RuntimeAction[] = [];
  #isSettled = false;
  #isOver = false;
  #wakeReader: () => void = () => undefined;
  /** Who waits for the reader, and how much may still wait when they go on. */
  #held: { readonly most: number; readonly release: () => void }[] = [];

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#release(), { once: true });
  }

  send(action: RuntimeAction): void {
    if (this.#isSettled) return;
    this.#isSettled = action.type === "prompt-response" || action.type === "prompt-error";
    this.#waiting.push(action);
    this.#wakeReader();
  }

  /**
   * Resolves when the reader has taken enough: whoever reads a model waits for it after each chunk, so that a slow reader
   * slows the model down. At the abort it resolves too: a run ends even if nobody reads.
   */
  room(): Promise<void> {
    return this.#until(mostWaiting - 1);
  }

  /** Resolves when the reader has taken everything, or at the abort. */
  taken(): Promise<void> {
    return this.#until(0);
  }

  end(): void {
    this.#isOver = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RuntimeAction, void, void> {
    for (;;) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        this.#release();
        yield next;
      }
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  async #until(most: number): Promise<void> {
    if (this.#waiting.length <= most || this.#signal.aborted) return;
    await new Promise<void>((release) => this.#held.push({ most, release }));
  }

  #release(): void {
    if (this.#held.length === 0) return;
    const isFree = ({ most }: { most: number }) => this.#waiting.length <= most || this.#signal.aborted;
    const free = this.#held.filter(isFree);
    this.#held = this.#held.filter((one) => !free.includes(one));
    for (const { release } of free) release();
  }
}
