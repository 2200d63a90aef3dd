/** Values in the order of a comparison under which no two are equal. Finding the place of one is a binary search. */
export class SortedList<T> {
  readonly #compare: (left: T, right: T) => number;
  readonly #values: T[];

  constructor(compare: (left: T, right: T) => number, values: Iterable<T> = []) {
    this.#compare = compare;
    this.#values = [...values].sort(compare);
  }

  add(value: T): void {
    this.#values.splice(this.#position(value), 0, value);
  }

  /** Only of one that is there. */
  remove(value: T): void {
    this.#values.splice(this.#position(value), 1);
  }

  /** From the first, or from the one after `value`. */
  *after(value?: T): Iterable<T> {
    const start = value === undefined ? 0 : this.#position(value) + 1;
    for (let at = start; at < this.#values.length; at++) yield this.#values[at] as T;
  }

  /** Backwards from the last, or from the one before `value`. */
  *before(value?: T): Iterable<T> {
    const end = value === undefined ? this.#values.length : this.#position(value);
    for (let at = end - 1; at >= 0; at--) yield this.#values[at] as T;
  }

  /** Where a value is or belongs. */
  #position(value: T): number {
    let low = 0;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#values[middle] as T, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
