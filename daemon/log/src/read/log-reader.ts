import { type Frames, lastOf } from "./frames.ts";
import type { SharedReads } from "./shared-reads.ts";
import type { Tail } from "./tail.ts";

export interface ReaderOptions {
  /** true leaves out the lines that are skippable. */
  skips?: boolean;
}

/** What a reader sees of its log. */
export interface ReaderHost {
  readonly publishedSequence: number;
  /** For readers that get every line, and for those that skip some. */
  filesFor(withSkippable: boolean): SharedReads;
  readonly tail: Tail;
  /** closed: readers get the rest and then the end; destroyed: the end at once. */
  readonly lifetime: "open" | "closed" | "destroyed";
  wait(reader: CursorReader): void;
  leave(reader: CursorReader): void;
}

/** What others see of a reader. */
export type LogReader = Pick<CursorReader, "position" | "next" | "close">;

/** A place in the log, past and future alike. It is a cursor, not a queue: a reader that does not read costs nothing. */
export class CursorReader {
  #position: number;
  readonly #host: ReaderHost;
  readonly #withSkippable: boolean;
  #waiting: { resolve: (frames: Frames | null) => void; reject: (error: unknown) => void } | undefined;
  /** Only while the reader is behind what is in memory. */
  #files: SharedReads | undefined;
  /** The frames after those handed out: reading them while those are sent halves the time of a replay. */
  #ahead: Promise<Frames> | undefined;
  #isReadingDisk = false;
  #isClosed = false;

  constructor(host: ReaderHost, after: number, options: ReaderOptions) {
    this.#host = host;
    this.#position = after;
    this.#withSkippable = !options.skips;
  }

  /** Everything up to this sequence has been handed out (or left out, where the reader skips). */
  get position(): number {
    return this.#position;
  }

  /**
   * Whole frames, as the log's framing makes them: at least one, about 64 KiB at most unless one frame is larger.
   * Waits for new lines; null when the log or the reader is closed. One call at a time.
   */
  next(): Promise<Frames | null> {
    if (this.#waiting !== undefined) return Promise.reject(new Error("The reader is already waiting"));
    const frames = this.#take();
    if (frames !== undefined) return Promise.resolve(frames);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#goOn();
    });
  }

  /** New lines are published, or the log has ended. */
  wake(): void {
    if (this.#waiting === undefined || this.#isReadingDisk) return;
    const frames = this.#take();
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

  /** What is in memory for this reader. */
  #take(): Frames | undefined {
    while (!this.#hasEnded() && !this.#isReadingDisk && this.#position < this.#host.publishedSequence) {
      const frames = this.#host.tail.after(this.#position, this.#withSkippable);
      if (frames === undefined) return undefined;
      this.#leaveDisk();
      this.#position = lastOf(frames);
      if (frames.bytes.length > 0) return frames;
    }
    return undefined;
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
      const files = this.#enterFiles();
      const frames = await (this.#ahead ?? files.after(this.#position));
      this.#ahead = undefined;
      this.#isReadingDisk = false;
      if (this.#hasEnded()) return this.#end();
      this.#position = lastOf(frames);
      if (this.#position >= this.#host.publishedSequence) this.#leaveDisk();
      else this.#readAhead(files);
      if (frames.bytes.length > 0) this.#settle(frames);
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

  #enterFiles(): SharedReads {
    if (this.#files === undefined) {
      this.#files = this.#host.filesFor(this.#withSkippable);
      this.#files.enter();
    }
    return this.#files;
  }

  #readAhead(files: SharedReads): void {
    this.#ahead = files.after(this.#position);
    // Told to whoever asks for the frames.
    this.#ahead.catch(() => {});
  }

  #hasEnded(): boolean {
    return this.#isClosed || this.#host.lifetime === "destroyed";
  }

  #end(): void {
    this.#leaveDisk();
    this.#settle(null);
  }

  #settle(frames: Frames | null): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(frames);
  }

  #leaveDisk(): void {
    this.#files?.leave();
    this.#files = undefined;
    this.#ahead = undefined;
  }
}
