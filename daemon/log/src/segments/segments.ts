import type { FileHandle } from "node:fs/promises";
import type { Damage } from "../damage.ts";
import { sequenceOf } from "../lines/check-lines.ts";
import { lastOfSeal, sealBytes } from "../lines/seal.ts";
import type { LogForm } from "../log-form.ts";
import { DamagedLog, type Lost, lineOf, readHeader, type Segment } from "./segment-file.ts";
import { SharedHandles } from "./shared-handles.ts";
import { type IndexPoint, pointDistance } from "./sparse-index.ts";

const newline = 10;
const probeBytes = 4 * 1024;

/** The files of one log as its readers see them. The writer adds segments and moves the end of the last one. */
export class Segments {
  readonly form: LogForm;
  readonly all: Segment[];
  readonly handles = new SharedHandles();
  readonly #report: ((damage: Damage) => void) | undefined;
  readonly #told = new Set<number>();

  constructor(form: LogForm, all: Segment[], report?: (damage: Damage) => void) {
    this.form = form;
    this.all = all;
    this.#report = report;
  }

  /** The segment in which `sequence` is or will be, or the oldest if that is gone; undefined in an empty log. */
  holding(sequence: number): Segment | undefined {
    return this.all.findLast((segment) => segment.first <= sequence) ?? this.all[0];
  }

  /** Reports a damage once, however many readers meet it. */
  tell(damage: Damage): void {
    if (this.#told.has(damage.from)) return;
    this.#told.add(damage.from);
    this.#report?.(damage);
  }

  /** What is known of the lines that are missing before a segment. */
  async lostBefore(segment: Segment): Promise<Lost> {
    if (segment.format === undefined) {
      const handle = await this.handles.acquire(segment.path);
      try {
        await this.#firstLine(segment, handle);
      } finally {
        await this.handles.release(segment.path);
      }
    }
    return segment.lost ?? { bytes: 0 };
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
      const point = await (segment.format === 2 ? blockAfter : lineAfter)(
        handle,
        { from: middle, limit: high },
        this.form.key,
      );
      if (point === undefined) {
        high = middle;
        continue;
      }
      if (!(point.sequence > low.sequence)) {
        throw new DamagedLog(segment, lineOf(segment, low.sequence), `no numbered line near byte ${point.offset}`);
      }
      segment.index.add(point.sequence, point.offset);
      if (point.sequence <= sequence) low = point;
      else high = middle;
    }
    return low;
  }

  async #firstLine(segment: Segment, handle: FileHandle): Promise<IndexPoint> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(probeBytes), 0, probeBytes, 0);
    const offset = readHeader(segment, this.form, buffer.subarray(0, bytesRead)) ?? 0;
    // Without a header it can only be one of ours that is damaged: its seals tell what is left of it.
    segment.format ??= 2;
    segment.index.add(segment.first, offset);
    return { sequence: segment.first, offset };
  }
}

/** Bytes of a file. */
interface Range {
  from: number;
  limit: number;
}

/** The first block that begins after `from` and before `limit`. */
async function blockAfter(handle: FileHandle, range: Range, key: string): Promise<IndexPoint | undefined> {
  const { from, limit } = range;
  for (let length = pointDistance; ; length *= 4) {
    const size = Math.min(length, limit - from);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, from);
    const bytes = buffer.subarray(0, bytesRead);
    for (let at = bytes.indexOf("\n#"); at >= 0; at = bytes.indexOf("\n#", at + 1)) {
      const end = at + 1 + sealBytes;
      const last = end < bytesRead ? lastOfSeal(bytes.subarray(at + 1, end)) : undefined;
      if (last !== undefined && sequenceOf(bytes, end, key) === last + 1)
        return { sequence: last + 1, offset: from + end };
    }
    if (size === limit - from || bytesRead < size) return undefined;
  }
}

/** The first line that begins after `from` and before `limit`; its sequence is NaN where it has none. */
async function lineAfter(handle: FileHandle, range: Range, key: string): Promise<IndexPoint | undefined> {
  const { from, limit } = range;
  for (let length = probeBytes; ; length *= 4) {
    const size = Math.min(length, limit - from);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, from);
    const bytes = buffer.subarray(0, bytesRead);
    const end = bytes.indexOf(newline);
    const whole = end >= 0 && (bytesRead - end > 32 || size === limit - from);
    if (whole && end + 1 === bytesRead) return undefined;
    if (whole) return { sequence: sequenceOf(bytes, end + 1, key) ?? Number.NaN, offset: from + end + 1 };
    if (size === limit - from || bytesRead < size) return undefined;
  }
}
