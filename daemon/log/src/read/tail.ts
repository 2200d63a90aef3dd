import type { NewLines } from "../lines/line-block.ts";
import { type Frames, type Framing, framesOf, leaveOut } from "./frames.ts";

/** Memory that frames are put into one behind the other. */
interface Block {
  readonly first: number;
  readonly bytes: Buffer;
  used: number;
  readonly ends: number[];
  readonly skippable: boolean[];
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
  /** What was given last, to those who get every line and to those who skip some: most readers are at the same place. */
  #given: { whole?: Frames; withoutSkippable?: Frames } = {};

  constructor(framing: Framing, maxBytes: number) {
    this.#framing = framing;
    this.#maxBytes = maxBytes;
  }

  add(appended: readonly NewLines[]): void {
    this.#given = {};
    for (const lines of appended) this.#append(lines);
    while (this.#bytes > this.#maxBytes && this.#blocks.length > 1) this.#dropOldest();
  }

  /** The frames after `position`, at most about 64 KiB; undefined when they are not in memory. */
  after(position: number, withSkippable: boolean): Frames | undefined {
    const kind = withSkippable ? "whole" : "withoutSkippable";
    const given = this.#given[kind];
    if (given?.first === position + 1) return given;
    const frames = this.#cut(position, withSkippable);
    this.#given[kind] = frames;
    return frames;
  }

  /** Every reader has everything: only what a reader who comes back may still want is kept. */
  shrink(): void {
    this.#given = {};
    while (this.#blocks.length > 1) this.#dropOldest();
  }

  clear(): void {
    this.#given = {};
    this.#blocks = [];
    this.#bytes = 0;
  }

  #cut(position: number, withSkippable: boolean): Frames | undefined {
    const block = this.#blocks.findLast((candidate) => candidate.first <= position + 1);
    const index = position + 1 - (block?.first ?? 0);
    if (block === undefined || index >= block.ends.length) return undefined;
    const start = block.ends[index - 1] ?? 0;
    const count = countWithin(block.ends, index, start + chunkBytes);
    const frames = framesOf(block.bytes, start, position + 1, block.ends.slice(index, count));
    return withSkippable ? frames : leaveOut(frames, block.skippable.slice(index, count));
  }

  #append({ bytes, first, ends, skippable }: NewLines): void {
    const room = this.#framing.extraBytes({ bytes, start: 0, first, ends });
    const block = this.#blockFor(first, room + bytes.length);
    const start = block.used + room;
    bytes.copy(block.bytes, start);
    const moved = { bytes: block.bytes, start, first, ends: ends.map((end) => start + end) };
    for (const end of this.#framing.frame(moved, block.used)) block.ends.push(end);
    block.used = block.ends.at(-1) ?? 0;
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
