import { Reading } from "../reading.ts";

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
