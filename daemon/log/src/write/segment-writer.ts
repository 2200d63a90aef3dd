import { fstatSync, write, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { openRegular, syncDirectory } from "@muster/node";
import { headerLine, type Lost, newSegment, type Segment } from "../segments/segment-file.ts";
import type { Segments } from "../segments/segments.ts";

export interface SegmentWriterOptions {
  directory: string;
  segments: Segments;
  segmentBytes: number;
  /** The number of the writer, for the headers of its segments. */
  epoch: number;
  /** Called before a new segment is begun: a finished one is on the disk first, so no power loss leaves a hole. */
  settle: () => Promise<void>;
}

/**
 * So much goes into the page cache in less time than it takes to wake a thread for it. Only a sync of the same file could
 * hold it up, so not during one.
 */
const directBytes = 16 * 1024;

/** Writes at the end of the log and begins new segments. Used by one caller at a time; only `sync` may overlap. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #segment: Segment | undefined;
  #handle: FileHandle | undefined;
  /** Everything before it is whole lines. */
  #end = 0;
  #directoryIsDirty = false;
  #syncs = 0;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#segment = options.segments.all.at(-1);
    this.#end = this.#segment?.end ?? 0;
  }

  /** Writes sealed lines, the first of which has the number `first`; readers see them after `publish`. */
  async write(lines: Buffer, first: number): Promise<void> {
    const isFull = this.#end >= this.#options.segmentBytes || this.#segment?.format === 1;
    if (this.#segment !== undefined && isFull) await this.#finish();
    const isNew = this.#segment === undefined;
    const segment = this.#segment ?? this.#newSegment(first);
    this.#handle ??= await (isNew ? open(segment.path, "wx", 0o600) : openRegular(segment.path, "r+"));
    const header = isNew
      ? Buffer.from(headerLine(this.#options.segments.form, segment, this.#options.epoch))
      : undefined;
    const bytes = header === undefined ? lines : Buffer.concat([header, lines]);
    const isDirect = bytes.length <= directBytes && this.#syncs === 0;
    if (isDirect) writeAllNow(this.#handle.fd, bytes, this.#end);
    else await writeAll(this.#handle.fd, bytes, this.#end);
    if (header !== undefined) {
      this.#segment = segment;
      this.#directoryIsDirty = true;
      segment.end = header.length;
      this.#options.segments.all.push(segment);
    }
    segment.index.add(first, this.#end + (header?.length ?? 0));
    this.#end += bytes.length;
  }

  /** Lets readers see everything written. */
  publish(): void {
    if (this.#segment !== undefined) this.#segment.end = this.#end;
  }

  /** After a failure: takes back what nobody has seen. Where the disk refuses this too, the next open cuts half lines. */
  async cutUnpublished(): Promise<void> {
    await this.#handle?.truncate(this.#segment?.end ?? 0).catch(() => {});
  }

  /** Makes durable what is written when it is called; the name of a new file, too. */
  async sync(): Promise<void> {
    const directoryIsDirty = this.#directoryIsDirty;
    this.#directoryIsDirty = false;
    this.#syncs++;
    try {
      await this.#handle?.datasync();
      this.#mustHaveName();
      if (directoryIsDirty) await syncDirectory(this.#options.directory);
    } catch (error) {
      this.#directoryIsDirty ||= directoryIsDirty;
      throw error;
    } finally {
      this.#syncs--;
    }
  }

  /** The system keeps a removed file for whoever has it open, and for nobody else: what is written there is lost. */
  #mustHaveName(): void {
    if (this.#handle !== undefined && fstatSync(this.#handle.fd).nlink === 0) throw new Error("its file was removed");
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #newSegment(first: number): Segment {
    return datedSegment(this.#options, first);
  }

  async #finish(): Promise<void> {
    // Also a segment that a daemon before this one has filled has to be on the disk.
    if (this.#segment !== undefined) this.#handle ??= await openRegular(this.#segment.path, "r+");
    await this.#options.settle();
    await this.close();
    this.#segment = undefined;
    this.#end = 0;
  }
}

/**
 * Begins a segment before there is a line for it: from now on its name says that the numbers before it are gone, and
 * its header where their bytes are.
 */
export async function fenceOff(
  { directory, segments, epoch, isSynced }: Fenced,
  first: number,
  lost: Lost,
): Promise<void> {
  const segment: Segment = { ...datedSegment({ directory, segments }, first), lost };
  const header = Buffer.from(headerLine(segments.form, segment, epoch));
  const handle = await open(segment.path, "wx", 0o600);
  try {
    await writeAll(handle.fd, header, 0);
    if (isSynced) await handle.datasync();
  } catch (error) {
    // What is left of it on a full disk is a header that was never finished: the next open removes it.
    await handle.truncate(0).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  if (isSynced) await syncDirectory(directory);
  segment.end = header.length;
  segment.index.add(first, header.length);
  segments.all.push(segment);
}

type Placed = Pick<SegmentWriterOptions, "directory" | "segments">;

interface Fenced extends Pick<SegmentWriterOptions, "directory" | "segments" | "epoch"> {
  isSynced: boolean;
}

function datedSegment({ directory, segments }: Placed, first: number): Segment {
  return { ...newSegment(directory, segments.form.prefix, first), format: 2, time: new Date().toISOString() };
}

function writeAllNow(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error("The disk takes no bytes");
    done += count;
  }
}

/** A write may be short (signals, limits, a nearly full disk); the rest is tried until the disk says no. */
async function writeAll(fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await writeSome(fd, bytes, done, position + done);
    if (count === 0) throw new Error("The disk takes no bytes");
    done += count;
  }
}

// The callback form: a FileHandle's write costs twice the CPU, and this is the hot path.
function writeSome(fd: number, bytes: Buffer, from: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, bytes, from, bytes.length - from, position, (error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}
