import { ChoiceDialog, type ChoiceOptions, type Chosen } from "./choice-dialog.ts";

/** Keys that were meant for the editor do not answer a question that appeared under the person's fingers. */
const guardMs = 300;

interface Entry {
  readonly dialog: ChoiceDialog<unknown>;
  readonly place: number | undefined;
  shownAt: number | undefined;
}

/**
 * Everything that waits for the person. The first that came is shown; the others wait behind it. Questions of calls that were
 * made together have a place, and stand in the order of the calls: which of them asks first is chance.
 */
export class DialogStack {
  readonly #now: () => number;
  readonly #onChange: () => void;
  #entries: readonly Entry[] = [];

  constructor({ onChange, now = Date.now }: { onChange: () => void; now?: () => number }) {
    this.#onChange = onChange;
    this.#now = now;
  }

  get current(): ChoiceDialog<unknown> | undefined {
    return this.#entries[0]?.dialog;
  }

  get waiting(): number {
    return Math.max(0, this.#entries.length - 1);
  }

  /** Keys answer it only when the person has had time to see it. */
  get isListening(): boolean {
    const shownAt = this.#entries[0]?.shownAt;
    return shownAt !== undefined && this.#now() - shownAt >= guardMs;
  }

  /** Resolves with what was chosen; undefined for Escape, and when nobody waits for the answer any more. */
  choose<Value>(
    options: ChoiceOptions<Value>,
    signal?: AbortSignal,
    place?: number,
  ): Promise<Chosen<Value> | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const settle = (chosen: Chosen<Value> | undefined) => {
        signal?.removeEventListener("abort", leave);
        this.#remove(entry);
        resolve(chosen);
      };
      const leave = () => settle(undefined);
      const dialog = new ChoiceDialog<Value>(options, settle);
      const entry: Entry = { dialog: dialog as ChoiceDialog<unknown>, place, shownAt: undefined };
      signal?.addEventListener("abort", leave, { once: true });
      const at = this.#placeFor(place);
      this.#entries = [...this.#entries.slice(0, at), entry, ...this.#entries.slice(at)];
      this.#show();
    });
  }

  /** Before what has a later place, but never before what the person may be about to answer. */
  #placeFor(place: number | undefined): number {
    const later = this.#entries.findIndex((entry) => (entry.place ?? -1) > (place ?? Number.POSITIVE_INFINITY));
    if (later === -1) return this.#entries.length;
    return later === 0 && this.isListening ? 1 : later;
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry);
    this.#show();
  }

  #show(): void {
    const [first, ...waiting] = this.#entries;
    if (first !== undefined) first.shownAt ??= this.#now();
    for (const entry of waiting) entry.shownAt = undefined;
    this.#onChange();
  }
}
