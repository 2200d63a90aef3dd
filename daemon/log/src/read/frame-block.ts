import type { LineBlock } from "../lines/line-block.ts";
import type { Framing } from "../log-form.ts";

/**
 * The frames of a block. The lines are moved forward inside their own memory where the block has room before them, so a
 * block is framed once and not read again.
 */
export function frameBlock(framing: Framing, block: LineBlock, withSkippable: boolean): Buffer {
  const roomy = withRoom(block, framing.extraBytes(block));
  return roomy.bytes.subarray(0, framing.frame(roomy, 0, withSkippable));
}

function withRoom(block: LineBlock, room: number): LineBlock {
  const { bytes, start, ends } = block;
  if (start >= room) return block;
  const roomy = Buffer.allocUnsafe(room + bytes.length - start);
  bytes.copy(roomy, room, start);
  return { ...block, bytes: roomy, start: room, ends: ends.map((end) => end + room - start) };
}
