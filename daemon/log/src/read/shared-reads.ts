import type { LineBlock } from "../lines/line-block.ts";
import type { Segments } from "../segments/segments.ts";
import { type Frames, type Framing, frameBlock, lastOf, leaveOut } from "./frames.ts";
import { LineCursor } from "./line-cursor.ts";

interface Read {
  readonly frames: Promise<Frames>;
  /** 0 while it is being read. */
  bytes: number;
}

/** How far apart readers may be that are served by one read: about what the kernel keeps for a socket on its own. */
const sharedBytes = 4 * 1024 * 1024;
/** Left free before the lines of a read: enough for the frames of most. */
const framingRoom = 20 * 1024;

/**
 * What readers behind the tail get from the files. Readers at the same place get the same memory, read and framed once;
 * one that is elsewhere moves a cursor of its own.
 */
export class SharedReads {
  readonly #segments: Segments;
  readonly #framing: Framing;
  readonly #withSkippable: boolean;
  /** By the position they follow, oldest first. */
  readonly #reads = new Map<number, Read>();
  #bytes = 0;
  /** By the position they have reached. */
  readonly #cursors = new Map<number, LineCursor>();
  #readers = 0;

  constructor(segments: Segments, framing: Framing, withSkippable: boolean) {
    this.#segments = segments;
    this.#framing = framing;
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
    const cursor = this.#cursors.get(position) ?? new LineCursor(this.#segments, position, framingRoom);
    this.#cursors.delete(position);
    try {
      const block = await cursor.read();
      if (block === undefined) throw new Error(`Line ${position + 1} is published but not in the files`);
      const frames = this.#frame(block);
      const last = lastOf(frames);
      if (this.#cursors.has(last)) close(cursor);
      else this.#cursors.set(last, cursor);
      this.#closeCursors();
      return frames;
    } catch (error) {
      close(cursor);
      throw error;
    }
  }

  #frame(block: LineBlock): Frames {
    if (this.#withSkippable) return frameBlock(this.#framing, block);
    // Asked before the lines are moved.
    const { form } = this.#segments;
    const isLeftOut = block.ends.map((_, index) => form.isSkippable(block.bytes, block.ends[index - 1] ?? block.start));
    return leaveOut(frameBlock(this.#framing, block), isLeftOut);
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
