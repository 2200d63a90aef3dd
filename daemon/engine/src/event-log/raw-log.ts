import { constants } from "node:fs";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@muster/core";
import { sequenceOf } from "@muster/log";
import { makeDirectories, readRegular } from "@muster/node";
import { sequenceKey } from "./events/event-line.ts";

export interface RawLogOptions {
  directory: string;
  /** All files together; beyond it the oldest is dropped. */
  maxBytes?: number;
}

interface RawSegment {
  readonly first: number;
  readonly path: string;
  size: number;
}

const namePattern = /^raw-(\d{12,})\.jsonl$/;
const segmentsKept = 8;
/** More than this waiting for the disk is dropped: the agent's own messages never hold up its events. */
const maxBacklog = 4 * 1024 * 1024;
/** What comes within this time is written together: a turn says a dozen things, and none of them is waited for. */
const gatherMs = 20;
/** A pipe in place of the file refuses at once instead of waiting for a reader. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * The agent's own messages beside the log, each under the first sequence it caused. Best effort by design: never
 * synced, never an error, the oldest forgotten first. Under one sequence the last message counts, because lines that
 * cause nothing come before the one that does.
 */
export class RawLog {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #segments: RawSegment[];
  #handle: FileHandle | undefined;
  #queue: { sequence: number; line: string }[] = [];
  #backlog = 0;
  #flushing: Promise<void> | undefined;
  #endGathering: (() => void) | undefined;
  #dropped = 0;
  #isStopped = false;

  static async open(options: RawLogOptions): Promise<RawLog> {
    await makeDirectories(options.directory);
    const segments: RawSegment[] = [];
    for (const name of (await readdir(options.directory)).sort()) {
      const digits = namePattern.exec(name)?.[1];
      const path = join(options.directory, name);
      if (digits === undefined) continue;
      const found = await stat(path);
      if (found.isFile()) segments.push({ first: Number(digits), path, size: found.size });
    }
    return new RawLog(options, segments);
  }

  private constructor(options: RawLogOptions, segments: RawSegment[]) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes ?? 32 * 1024 * 1024;
    this.#segments = segments;
  }

  /** Messages that are not kept: too large, too fast, or the disk refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Sequences never go down from call to call. */
  append(sequence: number, raw: string): void {
    const line = `${sequenceKey}${sequence},"raw":${JSON.stringify(raw)}}\n`;
    const isTooMuch = line.length > this.#segmentBytes || this.#backlog + line.length > maxBacklog;
    if (this.#isStopped || isTooMuch) {
      this.#dropped++;
      return;
    }
    this.#queue.push({ sequence, line });
    this.#backlog += line.length;
    this.#flushing ??= this.#flush();
  }

  /** The messages kept for these sequences, both ends included. */
  async read(fromSequence: number, toSequence: number): Promise<Map<number, string>> {
    this.#endGathering?.();
    await this.#flushing;
    const found = new Map<number, string>();
    for (const [index, segment] of [...this.#segments].entries()) {
      const next = this.#segments[index + 1];
      if (segment.first > toSequence || (next !== undefined && next.first < fromSequence)) continue;
      // Dropped since we looked: the oldest file goes first.
      const bytes = await readRegular(segment.path).catch(() => Buffer.alloc(0));
      collect(bytes, fromSequence, toSequence, found);
    }
    return found;
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    this.#endGathering?.();
    await this.#flushing;
    await this.#closeFile();
  }

  /** Closes and removes the files. */
  async destroy(): Promise<void> {
    await this.close();
    for (const { path } of this.#segments.splice(0)) await rm(path, { force: true });
  }

  get #segmentBytes(): number {
    return this.#maxBytes / segmentsKept;
  }

  async #flush(): Promise<void> {
    await this.#gather();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#write(batch);
      } catch {
        // The disk refuses; the event log will tell of it. Here nothing is promised, so it only stops.
        this.#isStopped = true;
        this.#dropped += batch.length + this.#queue.length;
        this.#queue = [];
        await this.#closeFile();
      }
      this.#backlog = this.#queue.reduce((sum, { line }) => sum + line.length, 0);
    }
    this.#flushing = undefined;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #write(batch: { sequence: number; line: string }[]): Promise<void> {
    for (let from = 0; from < batch.length; ) {
      const segment = await this.#segmentFor(batch[from]?.sequence ?? 0);
      let text = "";
      while (from < batch.length && segment.size + text.length < this.#segmentBytes) text += batch[from++]?.line ?? "";
      const bytes = Buffer.from(text);
      await this.#handle?.appendFile(bytes);
      segment.size += bytes.length;
    }
  }

  /** The file being written; a new one for a new life, and when the last is full. */
  async #segmentFor(sequence: number): Promise<RawSegment> {
    const newest = this.#segments.at(-1);
    if (this.#handle !== undefined && newest !== undefined && newest.size < this.#segmentBytes) return newest;
    await this.#closeFile();
    const path = join(this.#directory, `raw-${String(sequence).padStart(12, "0")}.jsonl`);
    this.#handle = await open(path, appending, 0o600);
    if (newest?.path === path) {
      // A crash may have torn the last line of a file with the same name.
      await this.#handle.appendFile("\n");
      newest.size = Math.min(newest.size + 1, this.#segmentBytes - 1);
      return newest;
    }
    const segment = { first: sequence, path, size: 0 };
    this.#segments.push(segment);
    await this.#dropOldest();
    return segment;
  }

  /** The new segment counts as full, so that the cap holds when it is. */
  async #dropOldest(): Promise<void> {
    let total = this.#segmentBytes + this.#segments.reduce((sum, { size }) => sum + size, 0);
    while (total > this.#maxBytes && this.#segments.length > 1) {
      const oldest = this.#segments.shift();
      if (oldest === undefined) return;
      total -= oldest.size;
      await rm(oldest.path, { force: true });
    }
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    // What a close can lose was never promised.
    await handle?.close().catch(() => {});
  }
}

/** Lines that a crash tore are passed over: nothing here is promised. */
function collect(bytes: Buffer, from: number, to: number, found: Map<number, string>): void {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const sequence = sequenceOf(bytes, start, sequenceKey);
    if (sequence !== undefined && sequence >= from && sequence <= to) {
      // A line that a crash tore tells nothing.
      const raw = (parseJson(bytes.toString("utf8", start, end)) as { raw: string } | undefined)?.raw;
      if (raw !== undefined) found.set(sequence, raw);
    }
    start = end + 1;
  }
}
