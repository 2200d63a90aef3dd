import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { walkLines } from "./check-lines.ts";
import { maxEventBytes } from "./event-line.ts";
import { checkHeader, type Segment } from "./segment-file.ts";
import { pointDistance } from "./sparse-index.ts";

/** What a crash had left at the end of the log and was cut off. */
export interface Recovery {
  readonly path: string;
  readonly cutBytes: number;
  /** Where the bytes are now; only when they were more than the one line a crash can tear. */
  readonly keptAs: string | undefined;
}

const blockBytes = 256 * 1024;
const longestLine = maxEventBytes + 1;
/** A crash tears the end: so far back every line is parsed, before that its number and its shape are checked. */
const parsedBytes = 1024 * 1024;

/**
 * Cuts the last segment after its longest valid beginning and returns the last sequence of the log. A last segment
 * without a whole header is removed. Reads nothing of the segments before, so opening does not depend on history.
 */
export async function recover(
  segments: Segment[],
  sessionId: string,
): Promise<{ lastSequence: number; recovery: Recovery | undefined }> {
  let recovery: Recovery | undefined;
  for (let segment = segments.at(-1); segment !== undefined; segment = segments.at(-1)) {
    const handle = await open(segment.path, "r+");
    try {
      const { size } = await handle.stat();
      const header = await checkedHeaderEnd(handle, segment, sessionId);
      const found = header === undefined ? { end: 0, lastSequence: 0 } : await validEnd(handle, segment, header, size);
      if (found.end < size) {
        recovery = await keepAside(handle, segment, found.end, size);
        await handle.truncate(found.end);
        await handle.sync();
      }
      if (header !== undefined) {
        segment.end = found.end;
        return { lastSequence: found.lastSequence, recovery };
      }
    } finally {
      await handle.close();
    }
    segments.pop();
    await rm(segment.path);
  }
  return { lastSequence: 0, recovery };
}

/** Where the header ends; undefined when its line was never finished. A finished but wrong one is no crash: throws. */
async function checkedHeaderEnd(handle: FileHandle, segment: Segment, sessionId: string): Promise<number | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0);
  const end = buffer.subarray(0, bytesRead).indexOf("\n");
  if (end < 0 || buffer.subarray(0, end).includes(0)) return undefined;
  checkHeader(segment, sessionId, buffer.toString("utf8", 0, end));
  return end + 1;
}

async function validEnd(handle: FileHandle, segment: Segment, headerEnd: number, size: number) {
  let offset = headerEnd;
  let sequence = segment.first;
  segment.index.add(sequence, offset);
  for (let length = blockBytes; offset < size; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const walked = walkLines(bytes, 0, sequence);
    const ends = parsable(bytes, walked, size - parsedBytes - offset);
    const end = ends.at(-1) ?? 0;
    sequence += ends.length;
    offset += end;
    segment.index.add(sequence, offset);
    if (ends.length < walked.length) break;
    if (end > 0) {
      length = Math.max(blockBytes, pointDistance);
      continue;
    }
    if (offset + bytesRead >= size || length > longestLine || bytes.includes("\n")) break;
    length *= 4;
  }
  return { end: offset, lastSequence: sequence - 1 };
}

/** The ends up to the first line that ends after `from` and is not JSON. */
function parsable(bytes: Buffer, ends: number[], from: number): number[] {
  for (const [index, end] of ends.entries()) {
    if (end <= from) continue;
    try {
      JSON.parse(bytes.toString("utf8", ends[index - 1] ?? 0, end));
    } catch {
      // From here on the file is not what was written; `keepAside` decides what becomes of it.
      return ends.slice(0, index);
    }
  }
  return ends;
}

/** A crash tears one line. If whole lines lie behind the fault, the disk lost something else: a copy stays. */
async function keepAside(handle: FileHandle, segment: Segment, end: number, size: number): Promise<Recovery> {
  const { buffer } = await handle.read(Buffer.alloc(size - end), 0, size - end, end);
  const hasLines = buffer.includes('\n{"sequence":');
  const keptAs = hasLines ? `${segment.path}.cut-at-${end}` : undefined;
  if (keptAs !== undefined) await writeFile(keptAs, buffer, { mode: 0o600 });
  return { path: segment.path, cutBytes: size - end, keptAs };
}
