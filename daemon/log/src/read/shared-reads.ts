import type { Segments } from "../segments/segments.ts";
import { frameBlock } from "./frame-block.ts";
import { LineCursor } from "./line-cursor.ts";
import type { Frames } from "./tail.ts";

interface Read {
  readonly frames: Promise<Frames>;
  /** 0 while it is being read. */
  bytes: number;
}

/** How far apart readers may be that are served by one read: about what the kernel keeps for a socket on its own. */
const sharedBytes = 4 * 1024 * 1024;

/**
 * What readers behind the tail get from the files. Readers at the same place get the same memory, read and framed once;
 * one that is elsewhere moves a cursor of its own.
 */
export class SharedReads {
  readonly #segments: Segments;
  readonly #withSkippable: boolean;
  /** By the position they follow, oldest first. */
  readonly #reads = new Map<number, Read>();
  #bytes = 0;
  /** By the position they have reached. */
  readonly #cursors = new Map<number, LineCursor>();
  #readers = 0;

  constructor(segments: Segments, withSkippable: boolean) {
    this.#segments = segments;
    this.#withSkippable = withSkippable;
  }

  /** A reader is behind the tail, until it leaves. */
  enter(): void {
    this.#readers++;
  }

  leave(): void {
    this.#readers--;
    this.#forgetReads();
    this.#closeCursors();
  }

  /** The frames after `position`, all of which are published. */
  after(position: number): Promise<Frames> {
    const known = this.#reads.get(position);
    if (known !== undefined) return known.frames;
    const read: Read = { frames: this.#read(position), bytes: 0 };
    this.#reads.set(position, read);
    read.frames.then(
      ({ bytes }) => {
        if (this.#reads.get(position) !== read) return;
        // What is kept is all that was read, also where the frames are less.
        read.bytes = bytes.buffer.byteLength;
        this.#bytes += read.bytes;
        this.#forgetReads();
      },
      // Told to whoever waits for it; the next one tries again.
      () => this.#forget(position, read),
    );
    return read.frames;
  }

  async #read(position: number): Promise<Frames> {
    const { framing } = this.#segments.form;
    const cursor = this.#cursors.get(position) ?? new LineCursor(this.#segments, position, framing.room);
    this.#cursors.delete(position);
    try {
      const block = await cursor.read();
      if (block === undefined) throw new Error(`Line ${position + 1} is published but not in the files`);
      const last = block.first + block.ends.length - 1;
      const frames = { bytes: frameBlock(framing, block, this.#withSkippable), last };
      if (this.#cursors.has(last)) close(cursor);
      else this.#cursors.set(last, cursor);
      this.#closeCursors();
      return frames;
    } catch (error) {
      close(cursor);
      throw error;
    }
  }

  /** A reader alone keeps what it needs itself. */
  #forgetReads(): void {
    const [room, fewest] = this.#readers > 1 ? [sharedBytes, 1] : [0, 0];
    for (const [position, read] of this.#reads) {
      if (this.#reads.size <= fewest || this.#bytes <= room) return;
      this.#forget(position, read);
    }
  }

  #forget(position: number, read: Read): void {
    if (this.#reads.get(position) !== read) return;
    this.#reads.delete(position);
    this.#bytes -= read.bytes;
  }

  /** The newest are those that somebody goes on with: no more than there are readers. */
  #closeCursors(): void {
    for (const [position, cursor] of this.#cursors) {
      if (this.#cursors.size <= this.#readers) return;
      this.#cursors.delete(position);
      close(cursor);
    }
  }
}

/** Closing a file that was only read can fail in no way that matters to a reader. */
function close(cursor: LineCursor): void {
  cursor.close().catch(() => {});
}
