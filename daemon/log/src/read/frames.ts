import type { LineBlock } from "../lines/line-block.ts";

/** How lines become what readers get. Who opens the log says it. */
export interface Framing {
  /** How many bytes longer the frames of a block are than its lines. */
  extraBytes(block: LineBlock): number;
  /**
   * Makes frames of the lines in their own memory, the first of them at `at`: `extraBytes` are free between there and the
   * first line. Gives the end of each frame.
   */
  frame(block: LineBlock, at: number): number[];
}

/** The frames of lines with consecutive numbers; that of `first + i` is `bytes[ends[i - 1] ?? 0 .. ends[i])`. */
export interface Frames {
  readonly first: number;
  /** A line that its reader leaves out has an empty frame. */
  readonly ends: readonly number[];
  readonly bytes: Buffer;
}

/** Lines as they are. */
export const unframed: Framing = { extraBytes: () => 0, frame: ({ ends }) => [...ends] };

/** The number of the last line. */
export function lastOf({ first, ends }: Frames): number {
  return first + ends.length - 1;
}

/**
 * The frames of a block. They are made in its own memory where it has room before the lines, so that a block is read and
 * framed without a copy.
 */
export function frameBlock(framing: Framing, block: LineBlock): Frames {
  const extra = framing.extraBytes(block);
  const roomy = withRoom(block, extra);
  const at = roomy.start - extra;
  const ends = framing.frame(roomy, at);
  return framesOf(roomy.bytes, at, block.first, ends);
}

/** Frames whose ends count from the beginning of a larger memory. */
export function framesOf(bytes: Buffer, start: number, first: number, ends: readonly number[]): Frames {
  return { first, ends: ends.map((end) => end - start), bytes: bytes.subarray(start, ends.at(-1)) };
}

/** The same without the frames of some lines; `isLeftOut` is by line. */
export function leaveOut({ first, ends, bytes }: Frames, isLeftOut: readonly boolean[]): Frames {
  const kept = Buffer.allocUnsafe(bytes.length);
  const keptEnds: number[] = [];
  let [runStart, start, used] = [0, 0, 0];
  for (const [index, end] of ends.entries()) {
    if (isLeftOut[index]) {
      used += bytes.copy(kept, used, runStart, start);
      runStart = end;
    }
    start = end;
    keptEnds.push(used + end - runStart);
  }
  used += bytes.copy(kept, used, runStart, start);
  return { first, ends: keptEnds, bytes: kept.subarray(0, used) };
}

function withRoom(block: LineBlock, room: number): LineBlock {
  const { bytes, start, ends } = block;
  if (start >= room) return block;
  const roomy = Buffer.allocUnsafe(room + bytes.length - start);
  bytes.copy(roomy, room, start);
  return { ...block, bytes: roomy, start: room, ends: ends.map((end) => end + room - start) };
}
