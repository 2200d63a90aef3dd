import type { LineBlock } from "./line-cursor.ts";

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
  const { first, ends } = block;
  const overhead = id.length + String(first + ends.length - 1).length + data.length + 1;
  const { bytes, moved } = withRoom(block, ends.length * overhead);
  let used = 0;
  let start = block.start + moved;
  let digits = String(first).length;
  for (let index = 0; index < ends.length; index++) {
    const end = (ends[index] ?? 0) + moved;
    if (first + index >= 10 ** digits) digits++;
    if (withDeltas || !isDeltaLine(bytes, start)) {
      for (let at = 0; at < id.length; at++) bytes[used++] = id[at] ?? 0;
      for (let at = start + digitsStart; at < start + digitsStart + digits; at++) bytes[used++] = bytes[at] ?? 0;
      for (let at = 0; at < data.length; at++) bytes[used++] = data[at] ?? 0;
      bytes.copyWithin(used, start, end);
      used += end - start;
      bytes[used++] = newline;
    }
    start = end;
  }
  return bytes.subarray(0, used);
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

/** Frames with ids, or names, or content of their own. */
export function joinFrames(frames: readonly { id?: string | number; event?: string; json: string }[]): Buffer {
  return Buffer.from(
    frames
      .map(({ id, event, json }) => {
        const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
        return `${head}data: ${json}\n\n`;
      })
      .join(""),
  );
}

function withRoom({ bytes, start }: LineBlock, room: number): { bytes: Buffer; moved: number } {
  if (start >= room) return { bytes, moved: 0 };
  const roomy = Buffer.allocUnsafe(room + bytes.length - start);
  bytes.copy(roomy, room, start);
  return { bytes: roomy, moved: room - start };
}

/** Only the keys before it are ours and known, and no value before it can hold an unescaped quote. */
export function isDeltaLine(bytes: Buffer, start: number): boolean {
  const type = bytes.indexOf(typeKey, start) + typeKey.length;
  return bytes.toString("latin1", type, type + deltaType.length) === deltaType;
}
