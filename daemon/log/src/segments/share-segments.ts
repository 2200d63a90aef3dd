import { copyFile, link, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncDirectory } from "@muster/node";
import type { LineBlock } from "../lines/line-block.ts";
import { sealLines } from "../lines/seal.ts";
import type { LogForm } from "../log-form.ts";
import { headerLine, newSegment, type Segment } from "./segment-file.ts";

export interface SharedPrefix {
  segments: readonly Segment[];
  /** The last line that is shared. */
  upTo: number;
  /** Lines of the segment in which the prefix ends, those from its first up to `upTo`. */
  lines: (after: number) => AsyncIterable<LineBlock>;
}

export interface SharedPlace {
  /** There, and empty. */
  directory: string;
  /** Of the new log. */
  form: LogForm;
  epoch: number;
}

/**
 * The beginning of a log as that of another one: finished segments are linked, so they stay as long as anybody has them, and the
 * lines of the one in which the prefix ends are copied into a segment of its own, which is where the new log goes on.
 */
export async function shareSegments({ segments, upTo, lines }: SharedPrefix, place: SharedPlace): Promise<void> {
  const { directory, form, epoch } = place;
  let first = 1;
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (segment.first > upTo || next === undefined || next.first - 1 > upTo) break;
    await linkOrCopy(segment.path, join(directory, basename(segment.path)));
    first = next.first;
  }
  const own: Segment = { ...newSegment(directory, form.prefix, first), format: 2, time: new Date().toISOString() };
  const file = await open(own.path, "wx", 0o600);
  try {
    await file.appendFile(headerLine(form, own, epoch));
    if (first <= upTo) {
      for await (const block of lines(first - 1)) await file.appendFile(sealLines([compact(block)]));
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  await syncDirectory(directory);
}

/** A file that cannot be linked, because it lies on another disk or the disk has no links, is copied. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw error;
    }
    await copyFile(from, to);
  }
}

function compact({ bytes, start, first, ends }: LineBlock): LineBlock {
  return { bytes: bytes.subarray(start, ends.at(-1)), start: 0, first, ends: ends.map((end) => end - start) };
}
