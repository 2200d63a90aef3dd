import { read } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import type { Damage } from "../damage.ts";
import { walkLines } from "../lines/check-lines.ts";
import type { LineBlock } from "../lines/line-block.ts";
import { type Known, pieceAt } from "../lines/seal.ts";
import type { LogForm } from "../log-form.ts";
import { DamagedLog, type Lost, lineOf, type Segment } from "../segments/segment-file.ts";
import type { Segments } from "../segments/segments.ts";

/** Framed, this becomes about 64 KiB. */
const blockBytes = 60 * 1024;

/** A place in the files of the log, moving forward over published lines. Holds no bytes between two reads. */
export class LineCursor {
  readonly #segments: Segments;
  /** The next line wanted; the place in the file may still be some lines before it. */
  #next: number;
  readonly #room: number;
  #place: Place | undefined;

  /** `room`: bytes left free at the beginning of every block, for whoever wants to make its lines longer. */
  constructor(segments: Segments, after: number, room = 0) {
    this.#segments = segments;
    this.#room = room;
    this.#next = after + 1;
  }

  /** The next published lines, or what stands for lost ones; undefined when there are none yet. Throws DamagedLog. */
  async read(): Promise<LineBlock | undefined> {
    for (let size = blockBytes; ; ) {
      const place = this.#place ?? (await this.#enter());
      if (place === undefined) return undefined;
      if (place.sequence < place.segment.first) {
        return this.#lost(place, place.segment.first - 1, await this.#segments.lostBefore(place.segment));
      }
      const left = (place.segment.end ?? 0) - place.offset;
      if (left <= 0) {
        const next = await this.#leaveFinished(place);
        if (next !== "entered") return next;
        continue;
      }
      if (place.segment.format === 2) {
        const block = await this.#readSealed(place);
        if (block === undefined) continue;
        return block;
      }
      const wanted = Math.min(size, left);
      const bytes = await readAt(place.handle, place.offset, { room: this.#room, length: wanted });
      const ends = walkLines(bytes, this.#room, place.sequence, this.#form.key);
      const walked = (ends.at(-1) ?? this.#room) - this.#room;
      if (walked === 0) {
        const isWhole = wanted === left || size > this.#form.longest + 1 || bytes.includes("\n", this.#room);
        if (isWhole || bytes.length < this.#room + wanted) {
          throw new DamagedLog(
            place.segment,
            lineOf(place.segment, place.sequence),
            `it is not number ${place.sequence}`,
          );
        }
        size *= 4;
        continue;
      }
      const block = this.#take(place, bytes, ends, walked);
      if (block !== undefined) return block;
    }
  }

  /** Moves on behind these lines; undefined when they lie before what is wanted. */
  #take(place: Place, bytes: Buffer, ends: readonly number[], length: number): LineBlock | undefined {
    const first = place.sequence;
    place.offset += length;
    place.sequence += ends.length;
    place.segment.index.add(place.sequence, place.offset);
    const skipped = Math.max(0, this.#next - first);
    if (skipped >= ends.length) return undefined;
    this.#next = place.sequence;
    return { bytes, start: ends[skipped - 1] ?? this.#room, first: first + skipped, ends: ends.slice(skipped) };
  }

  /** The next sealed blocks; undefined when they lie before what is wanted, or the segment is over. */
  async #readSealed(place: Place): Promise<LineBlock | undefined> {
    const left = (place.segment.end ?? 0) - place.offset;
    for (let size = blockBytes; ; size *= 4) {
      const length = Math.min(size, left);
      const bytes = await readAt(place.handle, place.offset, { room: this.#room, length });
      const isEnd = length === left || bytes.length < this.#room + length;
      const taken = takeSealed(bytes, this.#room, place.sequence, { isEnd, form: this.#form });
      if (taken === undefined && !isEnd) continue;
      if (taken === undefined) return this.#cutShort(place, left);
      if ("ends" in taken) return this.#take(place, bytes, taken.ends, taken.length);
      place.offset += taken.length;
      return this.#lost(place, taken.damage.to, keptHere(place, taken.damage.bytes));
    }
  }

  /** An older segment ends in the middle of a block: the next one tells which numbers are lost with it. */
  #cutShort(place: Place, left: number): LineBlock | undefined {
    const following = this.#segments.following(place.segment);
    if (following === undefined) {
      throw new DamagedLog(place.segment, lineOf(place.segment, place.sequence), `it is not number ${place.sequence}`);
    }
    place.offset += left;
    return following.first > place.sequence ? this.#lost(place, following.first - 1, keptHere(place, left)) : undefined;
  }

  #lost(place: Place, to: number, lost: Lost): LineBlock | undefined {
    const damage: Damage = { from: place.sequence, to, ...lost };
    this.#segments.tell(damage);
    place.sequence = to + 1;
    if (to < this.#next) return undefined;
    this.#next = to + 1;
    return damageBlock(this.#form, damage, place.segment.time ?? place.changedAt);
  }

  get #form(): LogForm {
    return this.#segments.form;
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
      const point = await this.#segments.locate(segment, handle, Math.max(this.#next, segment.first));
      const changedAt = (await handle.stat()).mtime.toISOString();
      const sequence = Math.min(point.sequence, Math.max(this.#next, 1));
      const isBefore = this.#next < segment.first;
      this.#place = { segment, handle, changedAt, ...point, sequence: isBefore ? sequence : point.sequence };
    } catch (error) {
      await this.#segments.handles.release(segment.path);
      throw error;
    }
    return this.#place;
  }

  /** Goes on to the next segment; a hole before it is told. undefined where this is the last one. */
  async #leaveFinished(place: Place): Promise<LineBlock | "entered" | undefined> {
    const { segment, sequence } = place;
    const following = this.#segments.following(segment);
    if (following === undefined) return undefined;
    if (following.first < sequence) {
      throw new DamagedLog(segment, lineOf(segment, sequence), `the next segment begins again at ${following.first}`);
    }
    if (following.first > sequence) {
      const lost = await this.#segments.lostBefore(following);
      return this.#lost(place, following.first - 1, lost) ?? "entered";
    }
    await this.close();
    return "entered";
  }
}

/** What stands for lost lines: one line, the same for every reader at all times, because nothing but the file says it. */
function damageBlock(form: LogForm, damage: Damage, time: string): LineBlock {
  const bytes = Buffer.from(`${form.damageLine(damage, time)}\n`);
  return { bytes, start: 0, first: damage.to, ends: [bytes.length] };
}

/** Bytes that are not what was written stay where they are. */
function keptHere({ segment }: Place, bytes: number): Lost {
  return { bytes, keptAs: basename(segment.path) };
}

interface Place {
  segment: Segment;
  handle: FileHandle;
  /** For what is said about its damage, where the header does not tell when the segment was begun. */
  changedAt: string;
  offset: number;
  sequence: number;
}

type Taken = { length: number } & ({ ends: number[] } | { damage: { to: number; bytes: number } });

/** Whole blocks from `start` on, their seals taken out; or the damage there. undefined when no whole piece is there. */
function takeSealed(bytes: Buffer, start: number, expected: number, known: Known): Taken | undefined {
  const ends: number[] = [];
  let [at, used] = [start, start];
  for (;;) {
    const piece = pieceAt(bytes, at, expected + ends.length, known);
    if (piece === undefined || piece.kind === "damage") {
      if (ends.length > 0) return { ends, length: at - start };
      return piece && { damage: { to: piece.to, bytes: piece.end - at }, length: piece.end - start };
    }
    const moved = at - used;
    if (moved > 0) bytes.copyWithin(used, at, piece.linesEnd);
    for (const end of piece.ends) ends.push(end - moved);
    used = piece.linesEnd - moved;
    at = piece.end;
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
