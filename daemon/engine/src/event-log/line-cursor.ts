import { read } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { walkLines } from "./check-lines.ts";
import { maxEventBytes } from "./event-line.ts";
import { DamagedLog, lineOf, type Segment } from "./segment-file.ts";
import type { Segments } from "./segments.ts";

/** Whole lines of consecutive events; the line of `first + i` is `bytes[ends[i - 1] ?? start .. ends[i])`. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly start: number;
  readonly first: number;
  readonly ends: readonly number[];
}

/** The lines of a block, without their newlines. */
export function* linesOf(block: LineBlock): Generator<Buffer, void, undefined> {
  let start = block.start;
  for (const end of block.ends) {
    yield block.bytes.subarray(start, end - 1);
    start = end;
  }
}

/** With the `id:` lines this becomes about 64 KiB of frames. */
const blockBytes = 60 * 1024;
const longestLine = maxEventBytes + 1;

/** A place in the files of the log, moving forward over published lines. Holds no bytes between two reads. */
export class LineCursor {
  readonly #segments: Segments;
  /** The next event wanted; the place in the file may still be some lines before it. */
  #next: number;
  readonly #room: number;
  #place: { segment: Segment; handle: FileHandle; offset: number; sequence: number } | undefined;

  /** `room`: bytes left free at the beginning of every block, for whoever wants to make its lines longer. */
  constructor(segments: Segments, after: number, room = 0) {
    this.#segments = segments;
    this.#room = room;
    this.#next = after + 1;
  }

  /** The next published lines; undefined when there are none yet. Throws DamagedLog. */
  async read(): Promise<LineBlock | undefined> {
    for (let size = blockBytes; ; ) {
      const place = this.#place ?? (await this.#enter());
      if (place === undefined) return undefined;
      const left = (place.segment.end ?? 0) - place.offset;
      if (left <= 0) {
        if (!(await this.#leaveFinished(place))) return undefined;
        continue;
      }
      const wanted = Math.min(size, left);
      const bytes = await readAt(place.handle, place.offset, { room: this.#room, length: wanted });
      const ends = walkLines(bytes, this.#room, place.sequence);
      const walked = (ends.at(-1) ?? this.#room) - this.#room;
      if (walked === 0) {
        const isWhole = wanted === left || size > longestLine || bytes.includes("\n", this.#room);
        if (isWhole || bytes.length < this.#room + wanted) {
          throw new DamagedLog(
            place.segment,
            lineOf(place.segment, place.sequence),
            `it is not event ${place.sequence}`,
          );
        }
        size *= 4;
        continue;
      }
      const first = place.sequence;
      place.offset += walked;
      place.sequence += ends.length;
      place.segment.index.add(place.sequence, place.offset);
      const skipped = Math.max(0, this.#next - first);
      if (skipped >= ends.length) continue;
      this.#next = place.sequence;
      return { bytes, start: ends[skipped - 1] ?? this.#room, first: first + skipped, ends: ends.slice(skipped) };
    }
  }

  async close(): Promise<void> {
    const place = this.#place;
    this.#place = undefined;
    if (place !== undefined) await this.#segments.handles.release(place.segment.path);
  }

  async #enter() {
    const segment = this.#segments.holding(this.#next);
    if (segment === undefined) return undefined;
    const handle = await this.#segments.handles.acquire(segment.path);
    try {
      this.#place = { segment, handle, ...(await this.#segments.locate(segment, handle, this.#next)) };
    } catch (error) {
      await this.#segments.handles.release(segment.path);
      throw error;
    }
    return this.#place;
  }

  /** Goes on to the next segment; false where this is the last one. */
  async #leaveFinished({ segment, sequence }: { segment: Segment; sequence: number }): Promise<boolean> {
    const following = this.#segments.following(segment);
    if (following === undefined) return false;
    if (following.first !== sequence) {
      const line = lineOf(segment, sequence);
      throw new DamagedLog(
        segment,
        line,
        `event ${sequence} is missing, the next segment begins at ${following.first}`,
      );
    }
    await this.close();
    return true;
  }
}

/** `room` bytes of anything, then up to `length` bytes of the file. */
async function readAt(handle: FileHandle, offset: number, size: { room: number; length: number }): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size.room + size.length);
  let filled = size.room;
  while (filled < bytes.length) {
    const count = await readSome(handle.fd, bytes, filled, offset + filled - size.room);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

// The callback form: replay is hundreds of these, and a FileHandle's read takes twice as long.
function readSome(fd: number, bytes: Buffer, from: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, from, bytes.length - from, position, (error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}
