/** No frame is longer; a stream that goes on without an end of frame is broken. */
export const mostFrameBytes = 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a stream of server-sent events at frame ends, wherever the network cut it. Bytes are handed on as they came, never
 * decoded: what goes out is byte for byte what came in.
 */
export class FrameCutter {
  /** The frame that has begun: the first `#length` bytes. */
  #pending: Buffer = Buffer.alloc(0);
  #length = 0;

  /** Everything up to the last frame end so far, possibly nothing. */
  push(chunk: Uint8Array): Buffer {
    const seen = this.#length;
    const bytes = seen === 0 ? asBuffer(chunk) : this.#append(chunk);
    const end = lastFrameEnd(bytes, seen);
    if (bytes.length - end > mostFrameBytes) throw new FrameTooLong(bytes.length - end);
    if (end > 0 || seen === 0) this.#pending = bytes.subarray(end);
    this.#length = bytes.length - end;
    return bytes.subarray(0, end);
  }

  /** What is left when the stream ends: a frame without its end, or nothing. */
  rest(): Buffer {
    const rest = this.#pending.subarray(0, this.#length);
    this.#pending = Buffer.alloc(0);
    this.#length = 0;
    return rest;
  }

  /** Into room that doubles: a frame of many small pieces would be copied for each of them. */
  #append(chunk: Uint8Array): Buffer {
    const length = this.#length + chunk.length;
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#pending.length));
      this.#pending.copy(larger, 0, 0, this.#length);
      this.#pending = larger;
    }
    this.#pending.set(chunk, this.#length);
    return this.#pending.subarray(0, length);
  }
}

export class FrameTooLong extends Error {
  override readonly name = "FrameTooLong";

  constructor(bytes: number) {
    super(`A frame of the stream is longer than ${mostFrameBytes} bytes (${bytes} so far)`);
  }
}

/** The frames in a slice that was cut at frame ends, each with the blank line that ends it. */
export function* framesOf(slice: Buffer): Generator<Buffer> {
  let start = 0;
  while (start < slice.length) {
    const end = frameEndAfter(slice, start);
    yield slice.subarray(start, end);
    start = end;
  }
}

/** The data of one frame, its lines joined; undefined for a comment or an event without data. */
export function dataOf(frame: Buffer): string | undefined {
  const lines: string[] = [];
  for (const line of frame.toString("utf8").split(/\r\n|\n|\r/)) {
    if (line.startsWith("data:")) lines.push(line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5));
  }
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** The place after the last blank line that ends behind `seen`; 0 when there is none. */
function lastFrameEnd(bytes: Buffer, seen: number): number {
  for (let at = bytes.length - 1; at >= Math.max(seen, 1); at--) if (isBlankLineEnd(bytes, at)) return at + 1;
  return 0;
}

function frameEndAfter(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (!isBlankLineEnd(bytes, at)) continue;
    return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return bytes.length;
}

/** Lines end with LF, CRLF or CR; a frame ends with an empty line. */
function isBlankLineEnd(bytes: Buffer, at: number): boolean {
  const [one, two, three] = [bytes[at], bytes[at - 1], bytes[at - 2]];
  if (one === LF) return two === LF || (two === CR && (three === LF || three === CR));
  return one === CR && two === CR;
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
