import { frameRoom, framesOf } from "./frames.ts";
import { type LineBlock, LineCursor } from "./line-cursor.ts";
import type { Segments } from "./segments.ts";
import type { Tail } from "./tail.ts";

export interface ReaderOptions {
  /** false leaves `item.delta` out. */
  deltas?: boolean;
}

/** A place in the log, past and future alike. It is a cursor, not a queue: a reader that does not read costs nothing. */
export interface LogReader {
  /** Everything up to this sequence has been handed out (or left out, where deltas are). */
  readonly position: number;
  /**
   * Whole SSE frames `id: <sequence>\ndata: <json>\n\n`: at least one, about 64 KiB at most unless one frame is larger.
   * Waits for new events; null when the log or the reader is closed. One call at a time.
   */
  next(): Promise<Buffer | null>;
  /** The same at once where the bytes are in memory; undefined means: ask `next()`. */
  take(): Buffer | undefined;
  close(): void;
}

/** What a reader sees of its log. */
export interface ReaderHost {
  readonly publishedSequence: number;
  readonly segments: Segments;
  readonly tail: Tail;
  /** closed: readers get the rest and then the end; destroyed: the end at once. */
  readonly lifetime: "open" | "closed" | "destroyed";
  wait(reader: CursorReader): void;
  leave(reader: CursorReader): void;
}

interface Waiting {
  resolve: (frames: Buffer | null) => void;
  reject: (error: unknown) => void;
}

export class CursorReader implements LogReader {
  #position: number;
  readonly #host: ReaderHost;
  readonly #withDeltas: boolean;
  #waiting: Waiting | undefined;
  /** Only while the reader is behind what is in memory. */
  #cursor: LineCursor | undefined;
  /** The block after the one handed out: reading it while that one is sent halves the time of a replay. */
  #ahead: Promise<LineBlock | undefined> | undefined;
  #isReadingDisk = false;
  #isClosed = false;

  constructor(host: ReaderHost, after: number, options: ReaderOptions) {
    this.#host = host;
    this.#position = after;
    this.#withDeltas = options.deltas ?? true;
  }

  get position(): number {
    return this.#position;
  }

  take(): Buffer | undefined {
    while (!this.#hasEnded() && !this.#isReadingDisk && this.#position < this.#host.publishedSequence) {
      const frames = this.#host.tail.after(this.#position, this.#withDeltas);
      if (frames === undefined) return undefined;
      this.#leaveDisk();
      this.#position = frames.last;
      if (frames.bytes.length > 0) return frames.bytes;
    }
    return undefined;
  }

  next(): Promise<Buffer | null> {
    if (this.#waiting !== undefined) return Promise.reject(new Error("The reader is already waiting"));
    const frames = this.take();
    if (frames !== undefined) return Promise.resolve(frames);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#goOn();
    });
  }

  /** New events are published, or the log has ended. */
  wake(): void {
    if (this.#waiting === undefined || this.#isReadingDisk) return;
    const frames = this.take();
    if (frames === undefined) this.#goOn();
    else this.#settle(frames);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#isReadingDisk) this.#leaveDisk();
    this.#settle(null);
    this.#host.leave(this);
  }

  /** Nothing is in memory for this reader: it waits, reads the files, or is at the end. */
  #goOn(): void {
    if (this.#hasEnded()) this.#settle(null);
    else if (this.#position < this.#host.publishedSequence) void this.#readDisk();
    else if (this.#host.lifetime === "open") this.#host.wait(this);
    else this.#settle(null);
  }

  async #readDisk(): Promise<void> {
    this.#isReadingDisk = true;
    try {
      this.#cursor ??= new LineCursor(this.#host.segments, this.#position, frameRoom);
      const block = await (this.#ahead ?? this.#cursor.read());
      this.#ahead = undefined;
      this.#isReadingDisk = false;
      if (this.#hasEnded()) return this.#end();
      if (block === undefined) throw new Error(`Event ${this.#position + 1} is published but not in the files`);
      const frames = framesOf(block, this.#withDeltas);
      this.#position = block.first + block.ends.length - 1;
      if (this.#position >= this.#host.publishedSequence) this.#leaveDisk();
      else this.#readAhead();
      if (frames.length > 0) this.#settle(frames);
      else this.wake();
    } catch (error) {
      this.#isReadingDisk = false;
      // A log that is being removed takes its files away under the reader.
      if (this.#hasEnded()) return this.#end();
      this.#leaveDisk();
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.reject(error);
    }
  }

  #readAhead(): void {
    this.#ahead = this.#cursor?.read();
    // Told to whoever asks for the block.
    this.#ahead?.catch(() => {});
  }

  #hasEnded(): boolean {
    return this.#isClosed || this.#host.lifetime === "destroyed";
  }

  #end(): void {
    this.#leaveDisk();
    this.#settle(null);
  }

  #settle(frames: Buffer | null): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(frames);
  }

  #leaveDisk(): void {
    const cursor = this.#cursor;
    if (cursor === undefined) return;
    const close = () => cursor.close();
    const idle = this.#ahead ?? Promise.resolve(undefined);
    this.#cursor = undefined;
    this.#ahead = undefined;
    // Closing a file that was only read can fail in no way that matters to the reader.
    idle.then(close, close).catch(() => {});
  }
}
