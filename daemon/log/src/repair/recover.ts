import { type FileHandle, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { openRegular } from "@muster/node";
import type { Damage } from "../damage.ts";
import { walkLines } from "../lines/check-lines.ts";
import { pieceAt, sealOf } from "../lines/seal.ts";
import type { LogForm } from "../log-form.ts";
import { readHeader, type Segment } from "../segments/segment-file.ts";
import { pointDistance } from "../segments/sparse-index.ts";

/** What a crash had left at the end of the log and was cut off. */
export interface Recovery {
  readonly path: string;
  readonly cutBytes: number;
  /** Where the bytes are now; only when they were more than the one line a crash can tear. */
  readonly keptAs: string | undefined;
}

const blockBytes = 256 * 1024;
/** A crash tears the end: so far back every line is parsed, before that its number and its shape are checked. */
const parsedBytes = 1024 * 1024;

/**
 * Cuts the last segment after its longest valid beginning and returns the last sequence of the log. A last segment
 * without a whole header is removed. Reads nothing of the segments before, so opening does not depend on history.
 * `keepsAll`: also the one line a crash can tear is kept beside the log; it is where that line was seen (`lastKnown`).
 */
export async function recover(
  segments: Segment[],
  form: LogForm,
  { keepsAll = false, lastKnown = 0 } = {},
): Promise<{ lastSequence: number; recovery: Recovery | undefined; damages: Damage[] }> {
  let recovery: Recovery | undefined;
  for (let segment = segments.at(-1); segment !== undefined; segment = segments.at(-1)) {
    const handle = await openRegular(segment.path, "r+");
    try {
      const { size, header, ...found } = await scanSegment(handle, segment, form);
      if (found.end < size) {
        recovery = await keepAside(handle, segment, {
          end: found.end,
          size,
          keepsAll: keepsAll || found.lastSequence < lastKnown,
          key: form.key,
        });
        await handle.truncate(found.end);
      }
      if (found.seal)
        await handle.write(found.seal, 0, found.seal.length, found.end).catch(() => dropUnsealed(handle, found));
      if (found.end < size || found.seal) await handle.sync();
      const isOldAndEmpty = segment.format === 1 && found.lastSequence < segment.first;
      if (header !== undefined && !isOldAndEmpty) {
        segment.end = found.end + (found.seal?.length ?? 0);
        return { lastSequence: found.lastSequence, recovery, damages: found.damages };
      }
    } finally {
      await handle.close();
    }
    segments.pop();
    await rm(segment.path);
  }
  return { lastSequence: 0, recovery, damages: [] };
}

/** How far a segment is what was written, and what of it is not. Nothing is changed. */
export async function scanSegment(handle: FileHandle, segment: Segment, form: LogForm): Promise<SegmentScan> {
  const { size } = await handle.stat();
  const header = await checkedHeaderEnd(handle, segment, form);
  const found = header === undefined ? nothing : await endOf(handle, segment, form, { headerEnd: header, size });
  return { size, header, ...found };
}

interface SegmentScan extends LogEnd {
  size: number;
  /** Where the header ends; undefined where nothing in the file can be used. */
  header: number | undefined;
}

/** Where the lines of a segment begin, and where the file ends. */
interface Range {
  headerEnd: number;
  size: number;
}

interface LogEnd {
  end: number;
  lastSequence: number;
  damages: Damage[];
  /** For whole lines at the end that a crash left without one. */
  seal?: Buffer;
  sealed?: { end: number; lastSequence: number };
}

/** On a full disk: lines whose write never came to its end were shown to nobody. */
async function dropUnsealed(handle: FileHandle, found: LogEnd): Promise<void> {
  Object.assign(found, found.sealed, { seal: undefined });
  await handle.truncate(found.end);
}

const nothing: LogEnd = { end: 0, lastSequence: 0, damages: [] };

async function endOf(handle: FileHandle, segment: Segment, form: LogForm, range: Range): Promise<LogEnd> {
  if (segment.format === 1) return { ...(await validEnd(handle, segment, form, range)), damages: [] };
  const { headerEnd, size } = range;
  let offset = headerEnd;
  let sequence = segment.first;
  const damages: Damage[] = [];
  const keptAs = basename(segment.path);
  segment.index.add(sequence, offset);
  for (let length = blockBytes; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const isEnd = offset + bytesRead >= size;
    let at = 0;
    const known = { isEnd, form };
    for (let piece = pieceAt(bytes, 0, sequence, known); piece; piece = pieceAt(bytes, at, sequence, known)) {
      if (piece.kind === "damage") damages.push({ from: sequence, to: piece.to, bytes: piece.end - at, keptAs });
      sequence = piece.kind === "damage" ? piece.to + 1 : sequence + piece.ends.length;
      at = piece.end;
      segment.index.add(sequence, offset + at);
    }
    offset += at;
    if (isEnd) return { ...unsealed(bytes.subarray(at), offset, sequence, form.key), damages };
    length = at === 0 ? length * 4 : blockBytes;
  }
}

/** What a crash left behind the last seal: the whole lines of it get their seal now. */
function unsealed(tail: Buffer, offset: number, sequence: number, key: string): Omit<LogEnd, "damages"> {
  const ends = parsableEnds(tail, walkLines(tail, 0, sequence, key), 0);
  const length = ends.at(-1) ?? 0;
  const lastSequence = sequence + ends.length - 1;
  if (length === 0) return { end: offset, lastSequence };
  return {
    end: offset + length,
    lastSequence,
    seal: sealOf(tail.subarray(0, length), lastSequence),
    sealed: { end: offset, lastSequence: sequence - 1 },
  };
}

const seal = /\n#\d{15} [0-9a-f]{8}\n/;

/** Where the header ends; undefined when its line was never finished and nothing follows it. */
async function checkedHeaderEnd(handle: FileHandle, segment: Segment, form: LogForm): Promise<number | undefined> {
  const longestLine = form.longest + 1;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestLine), 0, longestLine, 0);
  const bytes = buffer.subarray(0, bytesRead);
  const end = readHeader(segment, form, bytes);
  if (end !== undefined || !seal.test(bytes.toString("latin1"))) return end;
  // Damaged beyond its first line: what is left of it is found by its seals.
  segment.format = 2;
  return 0;
}

async function validEnd(handle: FileHandle, segment: Segment, form: LogForm, { headerEnd, size }: Range) {
  let offset = headerEnd;
  let sequence = segment.first;
  segment.index.add(sequence, offset);
  for (let length = blockBytes; offset < size; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const walked = walkLines(bytes, 0, sequence, form.key);
    const ends = parsableEnds(bytes, walked, size - parsedBytes - offset);
    const end = ends.at(-1) ?? 0;
    sequence += ends.length;
    offset += end;
    segment.index.add(sequence, offset);
    if (ends.length < walked.length) break;
    if (end > 0) {
      length = Math.max(blockBytes, pointDistance);
      continue;
    }
    if (offset + bytesRead >= size || length > form.longest + 1 || bytes.includes("\n")) break;
    length *= 4;
  }
  return { end: offset, lastSequence: sequence - 1 };
}

/** The ends up to the first line that ends after `from` and is not JSON. */
function parsableEnds(bytes: Buffer, ends: number[], from: number): number[] {
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
async function keepAside(
  handle: FileHandle,
  segment: Segment,
  { end, size, keepsAll, key }: { end: number; size: number; keepsAll: boolean; key: string },
): Promise<Recovery> {
  const { buffer } = await handle.read(Buffer.alloc(size - end), 0, size - end, end);
  const isWorthIt = keepsAll || buffer.includes(`\n${key}`);
  const keptAs = isWorthIt ? `${segment.path}.cut-at-${end}` : undefined;
  if (keptAs !== undefined) await writeFile(keptAs, buffer, { mode: 0o600 });
  return { path: segment.path, cutBytes: size - end, keptAs };
}
