import type { NewLines } from "../lines/line-block.ts";
import type { Framing } from "../log-form.ts";

/** Frames of consecutive lines; the frame of `first + i` is `bytes[ends[i - 1] ?? 0 .. ends[i])`. */
interface Block {
  readonly first: number;
  readonly bytes: Buffer;
  used: number;
  readonly ends: number[];
  readonly skippable: boolean[];
}

export interface Frames {
  /** Empty when all lines up to `last` are left out. */
  readonly bytes: Buffer;
  readonly last: number;
}

/** About what one read of a reader gives: the size one socket write should have. */
const chunkBytes = 64 * 1024;
const smallestBlock = 16 * 1024;

/** The newest lines as frames, made once and given to all readers as slices of the same memory. */
export class Tail {
  readonly #framing: Framing;
  readonly #maxBytes: number;
  #blocks: Block[] = [];
  #bytes = 0;

  constructor(framing: Framing, maxBytes: number) {
    this.#framing = framing;
    this.#maxBytes = maxBytes;
  }

  add(appended: readonly NewLines[]): void {
    for (const lines of appended) this.#append(lines);
    while (this.#bytes > this.#maxBytes && this.#blocks.length > 1) this.#dropOldest();
  }

  /** The frames after `position`, at most about 64 KiB; undefined when they are not in memory. */
  after(position: number, withSkippable: boolean): Frames | undefined {
    const block = this.#blocks.findLast((candidate) => candidate.first <= position + 1);
    const index = position + 1 - (block?.first ?? 0);
    if (block === undefined || index >= block.ends.length) return undefined;
    const start = block.ends[index - 1] ?? 0;
    const count = countWithin(block.ends, index, start + chunkBytes);
    const last = block.first + count - 1;
    if (!withSkippable) return { bytes: withoutSkippable(block, index, count), last };
    return { bytes: block.bytes.subarray(start, block.ends[count - 1]), last };
  }

  /** Every reader has everything: only what a reader who comes back may still want is kept. */
  shrink(): void {
    while (this.#blocks.length > 1) this.#dropOldest();
  }

  clear(): void {
    this.#blocks = [];
    this.#bytes = 0;
  }

  #append({ bytes, first, ends, skippable }: NewLines): void {
    const room = this.#framing.extraBytes({ bytes, start: 0, first, ends });
    const block = this.#blockFor(first, room + bytes.length);
    const start = block.used + room;
    bytes.copy(block.bytes, start);
    const moved = { bytes: block.bytes, start, first, ends: ends.map((end) => start + end) };
    block.used = this.#framing.frame(moved, block.used, true, block.ends);
    for (const isSkippable of skippable) block.skippable.push(isSkippable);
  }

  #blockFor(first: number, size: number): Block {
    const newest = this.#blocks.at(-1);
    if (newest !== undefined && newest.bytes.length - newest.used >= size) return newest;
    const bytes = Buffer.allocUnsafeSlow(Math.max(size, smallestBlock));
    const block = { first, bytes, used: 0, ends: [], skippable: [] };
    this.#blocks.push(block);
    this.#bytes += bytes.length;
    return block;
  }

  #dropOldest(): void {
    this.#bytes -= this.#blocks.shift()?.bytes.length ?? 0;
  }
}

/** How many lines end at or before `limit`, the one at `index` in any case. */
function countWithin(ends: readonly number[], index: number, limit: number): number {
  let count = ends.length;
  if ((ends[count - 1] ?? 0) <= limit) return count;
  let low = index + 1;
  while (low < count) {
    const middle = (low + count + 1) >>> 1;
    if ((ends[middle - 1] ?? 0) <= limit) low = middle;
    else count = middle - 1;
  }
  return low;
}

function withoutSkippable(block: Block, index: number, count: number): Buffer {
  const kept: Buffer[] = [];
  for (let at = index; at < count; at++) {
    if (block.skippable[at]) continue;
    const from = at;
    while (at + 1 < count && !block.skippable[at + 1]) at++;
    kept.push(block.bytes.subarray(block.ends[from - 1] ?? 0, block.ends[at]));
  }
  return kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
}
