import { isUtf8 } from "node:buffer";

/** A whole line without its LF, or what is known of one that cannot be handed on as text. */
export type Line = string | BrokenLine;

export interface BrokenLine {
  problem: "oversized" | "invalid_utf8" | "unterminated";
  /** The first bytes as text, for a person to recognise the line by. */
  head: string;
  bytes: number;
}

export interface LineOptions {
  /** A longer line is broken. */
  lineBytes: number;
  /** How much of a broken line is kept. */
  headBytes: number;
  /** What the end of the stream makes of a last line without its LF: a broken line, or a line like any other. */
  unterminated: "broken" | "line";
  /** What becomes of bytes that are no UTF-8: the line is broken, or they are replaced. */
  invalid: "broken" | "replaced";
}

const defaults: LineOptions = {
  lineBytes: 16 * 1024 * 1024,
  headBytes: 64 * 1024,
  unterminated: "broken",
  invalid: "broken",
};
const keptCapacity = 1024 * 1024;
const LF = 10;
const CR = 13;

/**
 * Bytes → lines. Only LF ends a line, because U+2028 and U+2029 are legal inside JSON; a CR before it is dropped. Never
 * throws: what is too long, not UTF-8 or cut off by the end comes out as a `BrokenLine` in its place, unless an option takes it as it is.
 */
export class LineSplitter {
  readonly #options: LineOptions;
  /** The line that has begun: its first `#length` bytes, or only its head once it is oversized. */
  #pending = Buffer.alloc(0);
  #length = 0;
  #oversizedBytes = 0;

  constructor(options: Partial<LineOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** Whether the line that has begun is too long already. */
  get isOversized(): boolean {
    return this.#oversizedBytes > 0;
  }

  push(chunk: Buffer): Line[] {
    const last = chunk.lastIndexOf(LF);
    if (last < 0) {
      this.#keep(chunk);
      return [];
    }
    let start = 0;
    let first: Line | undefined;
    if (this.#length > 0 || this.#oversizedBytes > 0) {
      const end = chunk.indexOf(LF);
      this.#keep(chunk.subarray(0, end));
      first = this.#take();
      start = end + 1;
    }
    const lines = start > last ? [] : this.#split(chunk.subarray(start, last));
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1));
    if (first !== undefined) lines.unshift(first);
    return lines;
  }

  /** The end of the stream: a line without its LF is reported, not dropped. */
  end(): Line[] {
    if (this.#length === 0 && this.#oversizedBytes === 0) return [];
    const line = this.#take();
    if (typeof line !== "string" || this.#options.unterminated === "line") return [line];
    const bytes = Buffer.byteLength(line);
    return [{ problem: "unterminated", head: line.slice(0, this.#options.headBytes), bytes }];
  }

  /** Whole lines without the last LF. One decoding for all of them; single lines are looked at only when that fails. */
  #split(block: Buffer): Line[] {
    if (block.length <= this.#options.lineBytes && isUtf8(block)) {
      const lines = block.toString("utf8").split("\n");
      for (let index = 0; index < lines.length; index++) {
        const line = lines[index] as string;
        if (line.charCodeAt(line.length - 1) === CR) lines[index] = line.slice(0, -1);
      }
      return lines;
    }
    const lines: Line[] = [];
    for (let start = 0; start <= block.length; ) {
      const end = block.indexOf(LF, start);
      const stop = end < 0 ? block.length : end;
      lines.push(this.#decode(block.subarray(start, stop), stop - start));
      start = stop + 1;
    }
    return lines;
  }

  #decode(bytes: Buffer, length: number): Line {
    const head = () => bytes.subarray(0, this.#options.headBytes).toString("utf8");
    if (length > this.#options.lineBytes) return { problem: "oversized", head: head(), bytes: length };
    if (this.#options.invalid === "broken" && !isUtf8(bytes))
      return { problem: "invalid_utf8", head: head(), bytes: length };
    return bytes.toString("utf8", 0, bytes[length - 1] === CR ? length - 1 : length);
  }

  #keep(bytes: Buffer): void {
    if (this.#oversizedBytes > 0) {
      this.#oversizedBytes += bytes.length;
      return;
    }
    const length = this.#length + bytes.length;
    const oversized = length > this.#options.lineBytes;
    this.#append(oversized ? bytes.subarray(0, Math.max(0, this.#options.headBytes - this.#length)) : bytes);
    if (!oversized) return;
    this.#oversizedBytes = length;
    this.#length = Math.min(this.#length, this.#options.headBytes);
    this.#pending = Buffer.from(this.#pending.subarray(0, this.#length));
  }

  #append(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#pending.length * 2, 4096));
      this.#pending.copy(grown, 0, 0, this.#length);
      this.#pending = grown;
    }
    bytes.copy(this.#pending, this.#length);
    this.#length = length;
  }

  #take(): Line {
    const line = this.#decode(this.#pending.subarray(0, this.#length), this.#oversizedBytes || this.#length);
    this.#length = 0;
    this.#oversizedBytes = 0;
    if (this.#pending.length > keptCapacity) this.#pending = Buffer.alloc(0);
    return line;
  }
}
