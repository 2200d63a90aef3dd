/** Whole lines of consecutive numbers; the line of `first + i` is `bytes[ends[i - 1] ?? start .. ends[i])`. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly start: number;
  readonly first: number;
  readonly ends: readonly number[];
}

/** The lines of one append; `bytes` holds nothing else. */
export interface NewLines extends LineBlock {
  /** When they were made, as they say it; whoever appends them is told it again. */
  readonly time: string;
  /** Which of them readers may leave out. */
  readonly skippable: readonly boolean[];
}

/** The lines of a block, without their newlines. */
export function* linesOf(block: LineBlock): Generator<Buffer, void, undefined> {
  let start = block.start;
  for (const end of block.ends) {
    yield block.bytes.subarray(start, end - 1);
    start = end;
  }
}
