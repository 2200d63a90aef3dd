import { tell } from "./run.ts";

/** Nothing a wire brings takes a reader so long; what does hangs. */
const hangMs = 20_000;
const mostBytes = 1024 ** 3;
const inputsPerLook = 1_000;

/** Watches a reader that is given one input after the other: none may hang it, and its memory stays bounded. */
export class InputWatch {
  readonly #fault: string;
  #tried = 0;
  #slowestMs = 0;
  #mostRss = 0;

  constructor(fault: string) {
    this.#fault = fault;
  }

  /** One input was read; throws where that took too long or memory has grown. */
  read(tookMs: number, input: () => string): void {
    this.#tried += 1;
    this.#slowestMs = Math.max(this.#slowestMs, tookMs);
    if (tookMs > hangMs) throw new Error(`${this.#fault}: input ${this.#tried} took ${tookMs} ms: ${input()}`);
    if (this.#tried % inputsPerLook !== 1) return;
    this.#mostRss = Math.max(this.#mostRss, process.memoryUsage.rss());
    if (this.#mostRss > mostBytes)
      throw new Error(`${this.#fault}: ${this.#mostRss} bytes after ${this.#tried} inputs`);
  }

  /** All were read: the row of the table. */
  tell(counts: Record<string, number> = {}): void {
    const own = { slowestMs: Math.round(this.#slowestMs), mostMiB: Math.round(this.#mostRss / 2 ** 20) };
    tell({ fault: this.#fault, tried: this.#tried, held: this.#tried, counts: { ...counts, ...own } });
  }
}
