/** Heights of rows, those not measured yet estimated, so that a list of any length draws only what is seen. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  readonly #estimate: number;
  #total = 0;

  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  of(key: string): number {
    return this.#measured.get(key) ?? this.average();
  }

  /** True if the row has another height than before. */
  set(key: string, height: number): boolean {
    const before = this.#measured.get(key);
    if (before !== undefined && Math.abs(before - height) < 0.5) return false;
    this.#measured.set(key, height);
    this.#total += height - (before ?? 0);
    return true;
  }

  average(): number {
    const { size } = this.#measured;
    return size < 5 ? this.#estimate : this.#total / size;
  }
}

export interface RowWindow {
  first: number;
  /** One behind the last. */
  end: number;
  above: number;
  below: number;
}

export interface View {
  top: number;
  height: number;
  /** How much is drawn beyond each edge. */
  margin: number;
}

/** Which rows are drawn, and how much room the others take above and below them. */
export function rowWindow(keys: readonly string[], heights: RowHeights, { top, height, margin }: View): RowWindow {
  let first = 0;
  let above = 0;
  while (first < keys.length - 1) {
    const next = heights.of(keys[first] ?? "");
    if (above + next >= top - margin) break;
    above += next;
    first++;
  }
  let end = first;
  let drawn = above;
  while (end < keys.length && drawn < top + height + margin) drawn += heights.of(keys[end++] ?? "");
  let below = 0;
  for (let index = end; index < keys.length; index++) below += heights.of(keys[index] ?? "");
  return { first, end, above, below };
}

/** Where a row begins. */
export function offsetOf(keys: readonly string[], heights: RowHeights, index: number): number {
  let offset = 0;
  for (let at = 0; at < index; at++) offset += heights.of(keys[at] ?? "");
  return offset;
}

/** The row at a height, and how far into it that is. */
export function rowAt(keys: readonly string[], heights: RowHeights, top: number): { index: number; offset: number } {
  let offset = top;
  for (let index = 0; index < keys.length; index++) {
    const height = heights.of(keys[index] ?? "");
    if (offset < height) return { index, offset };
    offset -= height;
  }
  return { index: Math.max(0, keys.length - 1), offset: 0 };
}
