/** Where the line of `sequence` begins in its segment. */
export interface IndexPoint {
  sequence: number;
  offset: number;
}

/** Points are at least this many bytes apart: 256 of them for a segment of 16 MiB. */
export const pointDistance = 64 * 1024;

/** Some known line beginnings of one segment, in order. Only a cache: what is missing is found in the file. */
export class SparseIndex {
  readonly #points: IndexPoint[] = [];

  /** The last known beginning at or before `sequence`, and the first one after it. */
  around(sequence: number): { before: IndexPoint | undefined; after: IndexPoint | undefined } {
    const at = this.#countUpTo(sequence);
    return { before: this.#points[at - 1], after: this.#points[at] };
  }

  add(sequence: number, offset: number): void {
    const at = this.#countUpTo(sequence);
    const before = this.#points[at - 1];
    const after = this.#points[at];
    if (before !== undefined && offset - before.offset < pointDistance) return;
    if (after !== undefined && after.offset - offset < pointDistance) return;
    this.#points.splice(at, 0, { sequence, offset });
  }

  #countUpTo(sequence: number): number {
    let low = 0;
    let high = this.#points.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#points[middle]?.sequence ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
