import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, parseJson } from "@muster/core";
import type { Damage } from "../damage.ts";
import { crc32 } from "../lines/crc32.ts";
import type { LogForm } from "../log-form.ts";
import { SparseIndex } from "./sparse-index.ts";

/** 1: lines. 2: lines in sealed blocks, and a header with a checksum. Both are read, 2 is written. */
type SegmentFormat = 1 | 2;

/** One file of the log: a header line, then the lines `first`, `first + 1`, … */
export interface Segment {
  readonly first: number;
  readonly path: string;
  /** Where the published lines end; undefined until the file of an older segment has been looked at. */
  end: number | undefined;
  readonly index: SparseIndex;
  /** Known when the header has been read. */
  format: SegmentFormat | undefined;
  /** When it was begun: the time of what is said about its damage. */
  time: string | undefined;
  /** What became of the lines before `first`, where they are gone and the end of the log was. */
  lost?: Lost;
}

export type Lost = Pick<Damage, "bytes" | "keptAs">;

export function newSegment(directory: string, prefix: string, first: number): Segment {
  const path = join(directory, `${prefix}-${String(first).padStart(12, "0")}.jsonl`);
  return { first, path, end: undefined, index: new SparseIndex(), format: undefined, time: undefined };
}

/** The segments of a directory, oldest first. */
export async function listSegments(directory: string, prefix: string): Promise<Segment[]> {
  const namePattern = new RegExp(`^${prefix}-(\\d{12,})\\.jsonl$`);
  const firsts: number[] = [];
  for (const name of await readdir(directory)) {
    const digits = namePattern.exec(name)?.[1];
    if (digits !== undefined) firsts.push(Number(digits));
  }
  return firsts.sort((one, other) => one - other).map((first) => newSegment(directory, prefix, first));
}

/** Removes the log, newest file first: whatever a crash leaves is a log with a valid beginning. */
export async function removeLog(directory: string, prefix: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${prefix}-`) || name === "head");
  for (const name of names.sort().reverse()) await rm(join(directory, name), { force: true });
  // Whoever keeps other files beside the log removes the directory.
  await rmdir(directory).catch(() => {});
}

/** The header of a new segment. */
export function headerLine({ owner }: LogForm, segment: Segment, epoch: number): string {
  const { first, time, lost } = segment;
  const text = JSON.stringify({ format: 2, ...owner, first, epoch, time, lost }).slice(0, -1);
  return `${text},"crc":"${checksum(text)}"}\n`;
}

/**
 * Where the lines begin, from the first bytes of a segment; undefined when its header was never finished. A damaged
 * header of format 2 costs nothing: the file's name says what it said. Throws where the header is whole and not that of
 * this segment: another log's file, or one of a later daemon.
 */
export function readHeader(segment: Segment, form: LogForm, bytes: Buffer): number | undefined {
  const { owner, ancestors = [], key } = form;
  const end = bytes.indexOf("\n");
  const line = bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
  const read = parseJson(line);
  const header = isRecord(read) ? read : undefined;
  const isSealed = line.includes('"crc":"') || line.includes('"epoch":');
  const isWhole = header?.crc === checksum(line.slice(0, line.lastIndexOf(',"crc":"')));
  if (isSealed && !isWhole) {
    const first = bytes.indexOf(`${key}${segment.first},`);
    segment.format = 2;
    return first < 0 ? undefined : first;
  }
  if (end < 0 || bytes.subarray(0, end).includes(0)) return undefined;
  if (header === undefined) throw new DamagedLog(segment, 1, "the header is not JSON");
  if (header.format !== 1 && header.format !== 2) {
    throw new DamagedLog(segment, 1, `its format is ${String(header.format)}, this daemon reads formats 1 and 2`);
  }
  const isOf = (who: LogForm["owner"]) => Object.entries(who).every(([name, value]) => header[name] === value);
  const isOwn = isOf(owner) || ancestors.some(isOf);
  if (!isOwn || header.first !== segment.first) {
    throw new DamagedLog(segment, 1, `the header belongs to another segment: ${line.slice(0, 200)}`);
  }
  segment.format = header.format;
  segment.time = typeof header.time === "string" ? header.time : undefined;
  segment.lost = typeof header.lost === "object" && header.lost !== null ? (header.lost as Lost) : undefined;
  return end + 1;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** The log on the disk is not what was written. Nothing is skipped: reading stops here and says where. */
export class DamagedLog extends Error {
  override readonly name = "DamagedLog";

  constructor(segment: Segment, line: number, reason: string) {
    super(`The log is damaged: ${segment.path} line ${line}: ${reason}`);
  }
}

/** The line of the file that holds this number; the header is line 1. */
export function lineOf(segment: Segment, sequence: number): number {
  return sequence - segment.first + 2;
}
