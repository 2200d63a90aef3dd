/** What the daemon and the keeper say to each other: frames of a length, a kind and its content. */

export type OutputStream = "stdout" | "stderr" | "pty";

export interface OutputFrame {
  readonly kind: "output";
  readonly number: number;
  readonly stream: OutputStream;
  /** Where its first byte stands in all that the process has written. */
  readonly offset: number;
  readonly bytes: Buffer;
}

interface InputFrame {
  readonly kind: "input";
  readonly number: number;
  /** By which the keeper tells whether the process has room for it; 0 where nobody asks. */
  readonly ask: number;
  readonly bytes: Buffer;
}

interface MessageFrame {
  readonly kind: "message";
  readonly message: unknown;
}

export type Frame = OutputFrame | InputFrame | MessageFrame;

const streams: readonly OutputStream[] = ["stdout", "stderr", "pty"];
const headBytes = 5;
const outputHead = headBytes + 13;
const mostFrameBytes = 32 * 1024 * 1024;

export function messageFrame(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([head(0, text.length, headBytes), text]);
}

export function outputFrame({ number, stream, offset, bytes }: Omit<OutputFrame, "kind">): Buffer {
  const start = head(1, bytes.length + 13, outputHead);
  start.writeUInt32BE(number, 5);
  start.writeUInt8(streams.indexOf(stream), 9);
  start.writeDoubleBE(offset, 10);
  return Buffer.concat([start, bytes]);
}

export function inputFrame({ number, ask, bytes }: { number: number; ask: number; bytes: Uint8Array }): Buffer {
  const start = head(2, bytes.length + 8, headBytes + 8);
  start.writeUInt32BE(number, 5);
  start.writeUInt32BE(ask, 9);
  return Buffer.concat([start, bytes]);
}

function head(kind: number, contentBytes: number, room: number): Buffer {
  const start = Buffer.alloc(room);
  start.writeUInt32BE(contentBytes + 1, 0);
  start.writeUInt8(kind, 4);
  return start;
}

/** Pieces of a connection → whole frames. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #size = 0;

  *read(piece: Buffer): Generator<Frame> {
    this.#pieces.push(piece);
    this.#size += piece.length;
    while (this.#size >= 4) {
      // Joined only when a frame is whole: a large one comes in many pieces.
      const length = this.#peekLength();
      if (length < 1 || length > mostFrameBytes) throw new Error(`A frame of ${length} bytes is none of ours`);
      if (this.#size < 4 + length) return;
      const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
      const rest = all.subarray(4 + length);
      this.#pieces = rest.length > 0 ? [rest] : [];
      this.#size = rest.length;
      yield frameOf(all.subarray(4, 4 + length));
    }
  }

  #peekLength(): number {
    const [first] = this.#pieces;
    if (first !== undefined && first.length >= 4) return first.readUInt32BE(0);
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all.readUInt32BE(0);
  }
}

function frameOf(content: Buffer): Frame {
  switch (content[0]) {
    case 0:
      return { kind: "message", message: JSON.parse(content.toString("utf8", 1)) };
    case 1:
      return {
        kind: "output",
        number: content.readUInt32BE(1),
        stream: streams[content[5] ?? 0] ?? "stdout",
        offset: content.readDoubleBE(6),
        bytes: content.subarray(14),
      };
    case 2:
      return {
        kind: "input",
        number: content.readUInt32BE(1),
        ask: content.readUInt32BE(5),
        bytes: content.subarray(9),
      };
    default:
      throw new Error(`There is no frame of kind ${content[0]}`);
  }
}
