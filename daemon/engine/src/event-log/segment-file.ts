import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { SparseIndex } from "./sparse-index.ts";

/** The format of the segments this daemon writes, and the only one it reads. */
const format = 1;
const namePattern = /^events-(\d{12,})\.jsonl$/;

/** One file of the log: a header line, then the events `first`, `first + 1`, … as they are sent. */
export interface Segment {
  readonly first: number;
  readonly path: string;
  /** Where the published lines end; undefined until the file of an older segment has been looked at. */
  end: number | undefined;
  readonly index: SparseIndex;
}

export function newSegment(directory: string, first: number): Segment {
  const path = join(directory, `events-${String(first).padStart(12, "0")}.jsonl`);
  return { first, path, end: undefined, index: new SparseIndex() };
}

/** The segments of a directory, oldest first. */
export async function listSegments(directory: string): Promise<Segment[]> {
  const firsts: number[] = [];
  for (const name of await readdir(directory)) {
    const digits = namePattern.exec(name)?.[1];
    if (digits !== undefined) firsts.push(Number(digits));
  }
  return firsts.sort((one, other) => one - other).map((first) => newSegment(directory, first));
}

/** Removes the log, newest file first: whatever a crash leaves is a log with a valid beginning. */
export async function removeLog(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith("events-"));
  for (const name of names.sort().reverse()) await rm(join(directory, name), { force: true });
  // Whoever keeps other files beside the log removes the directory.
  await rmdir(directory).catch(() => {});
}

export function headerLine(sessionId: string, first: number): string {
  return `${JSON.stringify({ format, sessionId, first })}\n`;
}

/** Throws where the header is not that of this segment: another session's file, or one of a later daemon. */
export function checkHeader(segment: Segment, sessionId: string, line: string): void {
  const header = parseHeader(line);
  if (header === undefined) throw new DamagedLog(segment, 1, "the header is not JSON");
  if (header.format !== format) {
    throw new DamagedLog(segment, 1, `its format is ${String(header.format)}, this daemon reads format ${format}`);
  }
  if (header.sessionId !== sessionId || header.first !== segment.first) {
    throw new DamagedLog(segment, 1, `the header belongs to another segment: ${line.slice(0, 200)}`);
  }
}

function parseHeader(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller names the segment whose header this is.
    return undefined;
  }
}

/** The log on the disk is not what was written. Nothing is skipped: reading stops here and says where. */
export class DamagedLog extends Error {
  override readonly name = "DamagedLog";

  constructor(segment: Segment, line: number, reason: string) {
    super(`The event log is damaged: ${segment.path} line ${line}: ${reason}`);
  }
}

/** The line of the file that holds this event; the header is line 1. */
export function lineOf(segment: Segment, sequence: number): number {
  return sequence - segment.first + 2;
}
