import type { Framing, LineBlock } from "@muster/log";
import { sequenceKey } from "./event-line.ts";

const id = Buffer.from("id: ");
const data = Buffer.from("\ndata: ");
const typeKey = Buffer.from('"type":"');
const deltaType = 'item.delta"';
const newline = 10;

/** Lines → SSE frames `id: <sequence>\ndata: <line>\n\n`, by moving bytes: nothing is parsed. */
export const eventFraming: Framing = {
  // No line is shorter than 100 bytes and no frame more than 28 bytes longer than its line: enough for any block.
  room: 20 * 1024,
  extraBytes: framingBytes,
  frame: frameInPlace,
};

function framingBytes({ first, ends }: LineBlock): number {
  const last = first + ends.length - 1;
  let digits = 0;
  // Every power of ten up to a number gives it one more digit.
  for (let power = 1; power <= last; power *= 10) digits += last + 1 - Math.max(first, power);
  return digits + ends.length * (id.length + data.length + 1);
}

function frameInPlace(block: LineBlock, to: number, withDeltas: boolean, frameEnds?: number[]): number {
  const { bytes, first, ends } = block;
  let used = to;
  let start = block.start;
  let digits = String(first).length;
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] ?? 0;
    if (first + index >= 10 ** digits) digits++;
    if (withDeltas || !isDeltaLine(bytes, start)) {
      const number = start + sequenceKey.length;
      for (let at = 0; at < id.length; at++) bytes[used++] = id[at] ?? 0;
      for (let at = number; at < number + digits; at++) bytes[used++] = bytes[at] ?? 0;
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

/** Only the keys before it are ours and known, and no value before it can hold an unescaped quote. */
export function isDeltaLine(bytes: Buffer, start: number): boolean {
  const type = bytes.indexOf(typeKey, start) + typeKey.length;
  return bytes.toString("latin1", type, type + deltaType.length) === deltaType;
}
