import type { FileHandle } from "node:fs/promises";
import { sequenceOf } from "./check-lines.ts";
import { checkHeader, DamagedLog, lineOf, type Segment } from "./segment-file.ts";
import { SharedHandles } from "./shared-handles.ts";
import { type IndexPoint, pointDistance } from "./sparse-index.ts";

const newline = 10;
const probeBytes = 4 * 1024;

/** The files of one log as its readers see them. The writer adds segments and moves the end of the last one. */
export class Segments {
  readonly sessionId: string;
  readonly all: Segment[];
  readonly handles = new SharedHandles();

  constructor(sessionId: string, all: Segment[]) {
    this.sessionId = sessionId;
    this.all = all;
  }

  /** The segment in which `sequence` is or will be; undefined in an empty log. Throws if its file is gone. */
  holding(sequence: number): Segment | undefined {
    const found = this.all.findLast((segment) => segment.first <= sequence);
    const oldest = this.all[0];
    if (found === undefined && oldest !== undefined) {
      throw new DamagedLog(oldest, 1, `the segment with event ${sequence} before it is missing`);
    }
    return found;
  }

  following(segment: Segment): Segment | undefined {
    return this.all[this.all.indexOf(segment) + 1];
  }

  /** A line beginning at or shortly before `sequence`, from the index or by halving what lies between its points. */
  async locate(segment: Segment, handle: FileHandle, sequence: number): Promise<IndexPoint> {
    segment.end ??= (await handle.stat()).size;
    const known = segment.index.around(sequence);
    let low = known.before ?? (await this.#firstLine(segment, handle));
    let high = known.after?.offset ?? segment.end;
    while (high - low.offset > 2 * pointDistance) {
      const middle = low.offset + Math.floor((high - low.offset) / 2);
      const point = await lineAfter(handle, middle, high);
      if (point === undefined) {
        high = middle;
        continue;
      }
      if (!(point.sequence > low.sequence)) {
        throw new DamagedLog(segment, lineOf(segment, low.sequence), `no event line near byte ${point.offset}`);
      }
      segment.index.add(point.sequence, point.offset);
      if (point.sequence <= sequence) low = point;
      else high = middle;
    }
    return low;
  }

  async #firstLine(segment: Segment, handle: FileHandle): Promise<IndexPoint> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(probeBytes), 0, probeBytes, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(newline);
    if (end < 0) throw new DamagedLog(segment, 1, "the header is missing");
    checkHeader(segment, this.sessionId, buffer.toString("utf8", 0, end));
    segment.index.add(segment.first, end + 1);
    return { sequence: segment.first, offset: end + 1 };
  }
}

/** The first line that begins after `from` and before `limit`; its sequence is NaN where it is no event. */
async function lineAfter(handle: FileHandle, from: number, limit: number): Promise<IndexPoint | undefined> {
  for (let length = probeBytes; ; length *= 4) {
    const size = Math.min(length, limit - from);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, from);
    const bytes = buffer.subarray(0, bytesRead);
    const end = bytes.indexOf(newline);
    const whole = end >= 0 && (bytesRead - end > 32 || size === limit - from);
    if (whole && end + 1 === bytesRead) return undefined;
    if (whole) return { sequence: sequenceOf(bytes, end + 1) ?? Number.NaN, offset: from + end + 1 };
    if (size === limit - from || bytesRead < size) return undefined;
  }
}
