import type { LineBlock } from "../lines/line-block.ts";

/** No line is shorter than 100 bytes and no frame more than 28 bytes longer than its line: enough for any block. */
export const frameRoom = 20 * 1024;

const id = Buffer.from("id: ");
const data = Buffer.from("\ndata: ");
const digitsStart = '{"sequence":'.length;
const typeKey = Buffer.from('"type":"');
const deltaType = 'item.delta"';
const newline = 10;

/**
 * Lines → SSE frames `id: <sequence>\ndata: <line>\n\n`, by moving bytes: nothing is parsed. The lines are moved forward
 * inside their own memory where the block has room before them, so a block is framed once and not read again.
 */
export function framesOf(block: LineBlock, withDeltas: boolean): Buffer {
  const roomy = withRoom(block, framingBytes(block));
  return roomy.bytes.subarray(0, frameInPlace(roomy, 0, withDeltas));
}

/** How many bytes longer the frames of a block are than its lines. */
export function framingBytes({ first, ends }: LineBlock): number {
  const last = first + ends.length - 1;
  let digits = 0;
  // Every power of ten up to a number gives it one more digit.
  for (let power = 1; power <= last; power *= 10) digits += last + 1 - Math.max(first, power);
  return digits + ends.length * (id.length + data.length + 1);
}

/** Makes frames of lines that have room before them in their memory, from `to` on. Gives their end back. */
export function frameInPlace(block: LineBlock, to: number, withDeltas: boolean, frameEnds?: number[]): number {
  const { bytes, first, ends } = block;
  let used = to;
  let start = block.start;
  let digits = String(first).length;
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] ?? 0;
    if (first + index >= 10 ** digits) digits++;
    if (withDeltas || !isDeltaLine(bytes, start)) {
      for (let at = 0; at < id.length; at++) bytes[used++] = id[at] ?? 0;
      for (let at = start + digitsStart; at < start + digitsStart + digits; at++) bytes[used++] = bytes[at] ?? 0;
      for (let at = 0; at < data.length; at++) bytes[used++] = data[at] ?? 0;
      bytes.copyWithin(used, start, end);
      used += end - start;
      bytes[used++] = newline;
    }
    frameEnds?.push(used);
    start = end;
  }
  return used;
}

/** Frames of a log, taken apart. The JSON of an event has no newline in it, so an empty line ends a frame. */
export function splitFrames(frames: Buffer): { sequence: number; json: string }[] {
  return frames
    .toString("utf8")
    .split("\n\n")
    .filter((text) => text !== "")
    .map((text) => {
      const line = text.indexOf("\n");
      return { sequence: Number(text.slice(id.length, line)), json: text.slice(line + data.length) };
    });
}

function withRoom(block: LineBlock, room: number): LineBlock {
  const { bytes, start, ends } = block;
  if (start >= room) return block;
  const roomy = Buffer.allocUnsafe(room + bytes.length - start);
  bytes.copy(roomy, room, start);
  return { ...block, bytes: roomy, start: room, ends: ends.map((end) => end + room - start) };
}

/** Only the keys before it are ours and known, and no value before it can hold an unescaped quote. */
export function isDeltaLine(bytes: Buffer, start: number): boolean {
  const type = bytes.indexOf(typeKey, start) + typeKey.length;
  return bytes.toString("latin1", type, type + deltaType.length) === deltaType;
}
