import { basename } from "node:path";
import { makeDirectories, makeDurableDirectories } from "@muster/node";
import { Failure } from "@muster/schema/wire";
import type { Damage } from "./damage.ts";
import { type LineBlock, linesOf, type NewLines } from "./lines/line-block.ts";
import { sealLines } from "./lines/seal.ts";
import type { LogForm } from "./log-form.ts";
import { type Framing, unframed } from "./read/frames.ts";
import { LineCursor } from "./read/line-cursor.ts";
import type { LogReader, ReaderOptions } from "./read/log-reader.ts";
import { Publication } from "./read/publication.ts";
import { type Recovery, recover } from "./repair/recover.ts";
import { listSegments, removeLog } from "./segments/segment-file.ts";
import { Segments } from "./segments/segments.ts";
import { type SharedPlace, shareSegments } from "./segments/share-segments.ts";
import { Appended, Batch } from "./write/batch.ts";
import type { Durability } from "./write/durability.ts";
import type { GroupSync, SyncMember } from "./write/group-sync.ts";
import { LogHead, lastSeen } from "./write/log-head.ts";
import { fenceOff, SegmentWriter } from "./write/segment-writer.ts";

export interface LogOptions {
  directory: string;
  form: LogForm;
  durability: Durability;
  groupSync: GroupSync;
  /** Asked before every write whether the directory is still ours. */
  fence?: WriteFence;
  /** A number known to have been given out, beside what the head says: none up to it is given out again. */
  lastKnown?: number;
  /** Everything that opening cuts off is kept beside the log. */
  keepsAll?: boolean;
  segmentBytes?: number;
  /** How lines become what readers get; without it they get lines. */
  framing?: Framing;
  /** How many bytes of frames are kept in memory while somebody reads. */
  tailBytes?: number;
  /** Told once of each damage that opening finds or a reader meets. */
  reportDamage?: (damage: Damage) => void;
}

interface WriteFence {
  /** The number of this writer; it stands in the header of every segment. */
  readonly epoch: number;
  /** Throws when another writer has taken the directory. */
  check(): void;
}

export interface LinesPage {
  /** One line each, without the newline. */
  readonly lines: Buffer[];
  /** Everything up to here is in the page or was left out: where the next page begins. */
  readonly last: number;
  readonly hasMore: boolean;
}

/** A batch is closed at this size: with it grow the delay of its first line and the distance of index points. */
const batchBytes = 256 * 1024;
const pageBytes = 8 * 1024 * 1024;

/**
 * Lines of consecutive numbers: written in batches, published after the write, read by cursors. The caller holds the
 * writer lock of the data directory.
 */
export class Log {
  /** Resolves when the disk fails or is full. The log can still be read; it has to be opened anew to be written. */
  readonly whenFailed: Promise<Failure>;
  /** What opening had to cut off. */
  readonly recovery: Recovery | undefined;
  readonly #options: LogOptions;
  readonly #publication: Publication;
  readonly #writer: SegmentWriter;
  readonly #head: LogHead;
  readonly #member: SyncMember;
  readonly #queue: Batch[] = [];
  /** The batch of the newest line; written long ago in a log at rest. */
  #newest: Batch;
  #writing: Batch | undefined;
  #lastSequence: number;
  #syncedSequence: number;
  #backlog = 0;
  #flushing: Promise<void> | undefined;
  #failure: Failure | undefined;
  #tellFailure: (failure: Failure) => void = () => {};
  #closing: Promise<void> | undefined;

  /** Creates the directory if it is missing, and cuts off what a crash left half-written. */
  static async open(options: LogOptions): Promise<Log> {
    if (options.durability === "none") await makeDirectories(options.directory);
    else await makeDurableDirectories(options.directory);
    const { directory, form, keepsAll } = options;
    const files = await listSegments(directory, form.prefix);
    const lastKnown = Math.max(options.lastKnown ?? 0, await lastSeen(directory));
    const { lastSequence: from, ...recovered } = await recover(files, form, { keepsAll, lastKnown });
    const segments = new Segments(form, files, options.reportDamage);
    if (lastKnown <= from) return new Log(options, segments, { lastSequence: from, ...recovered });
    const keptAs = recovered.recovery?.keptAs;
    const lost = { bytes: recovered.recovery?.cutBytes ?? 0, keptAs: keptAs && basename(keptAs) };
    const damages = [...recovered.damages, { from: from + 1, to: lastKnown, ...lost }];
    try {
      const isSynced = options.durability !== "none";
      await fenceOff({ directory, segments, epoch: options.fence?.epoch ?? 0, isSynced }, lastKnown + 1, lost);
      return new Log(options, segments, { lastSequence: lastKnown, ...recovered, damages });
    } catch (error) {
      const log = new Log(options, segments, { lastSequence: from, ...recovered, damages });
      log.#fail(error);
      return log;
    }
  }

  private constructor(
    options: LogOptions,
    segments: Segments,
    { lastSequence, recovery, damages }: Awaited<ReturnType<typeof recover>>,
  ) {
    this.#options = options;
    this.whenFailed = new Promise((resolve) => {
      this.#tellFailure = resolve;
    });
    this.recovery = recovery;
    for (const damage of damages) segments.tell(damage);
    this.#head = new LogHead(options.directory, options.durability);
    this.#lastSequence = lastSequence;
    this.#syncedSequence = lastSequence;
    this.#newest = new Batch(lastSequence + 1);
    this.#newest.succeed();
    const { framing = unframed, tailBytes = 1024 * 1024 } = options;
    this.#publication = new Publication(segments, lastSequence, framing, tailBytes);
    this.#member = options.groupSync.join(() => this.#syncFiles());
    this.#writer = new SegmentWriter({
      directory: options.directory,
      segments,
      segmentBytes: options.segmentBytes ?? 16 * 1024 * 1024,
      epoch: options.fence?.epoch ?? 0,
      settle: () => (options.durability === "none" ? Promise.resolve() : this.#member.now()),
    });
  }

  /** The highest number given out. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** The highest number readers may see. */
  get publishedSequence(): number {
    return this.#publication.publishedSequence;
  }

  /** Appended but not yet written. */
  get backlogBytes(): number {
    return this.#backlog;
  }

  get readerCount(): number {
    return this.#publication.readerCount;
  }

  get failed(): Failure | undefined {
    return this.#failure;
  }

  /** The number that the next line has to have. Throws once the disk has failed, and when the log is closed. */
  nextSequence(): number {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closing !== undefined) throw new Failure("shutting_down", `${this.#title} is closed`);
    return this.#lastSequence + 1;
  }

  /** Gives out the numbers of the lines at once; the first of them is `nextSequence()`, and throws as that does. */
  append(lines: NewLines): Appended {
    const first = this.nextSequence();
    if (lines.first !== first) throw new Error(`The next line is ${first}, not ${lines.first}`);
    const count = lines.ends.length;
    const batch = count === 0 ? this.#newest : this.#openBatch(first);
    batch.add(lines);
    this.#backlog += lines.bytes.length;
    this.#lastSequence += count;
    if (count > 0) this.#flushing ??= this.#flush();
    return new Appended(batch, lines, this.#syncBatch);
  }

  /** A cursor after this sequence. A cursor beyond the end is refused: it belongs to another log. */
  reader(after: number, options: ReaderOptions = {}): LogReader {
    this.#checkCursor(after);
    return this.#publication.addReader(after, options);
  }

  /** Up to `limit` published lines after `after`; fewer where they are large. */
  async read(after: number, limit: number, options: ReaderOptions = {}): Promise<LinesPage> {
    this.#checkCursor(after);
    const lines: Buffer[] = [];
    let last = after;
    let bytes = 0;
    for await (const block of this.#blocksUpTo(after, this.publishedSequence)) {
      let sequence = block.first - 1;
      for (const line of linesOf(block)) {
        sequence++;
        const isLeftOut = options.skips === true && this.#options.form.isSkippable(line, 0);
        const isFull = lines.length >= limit || (bytes > 0 && bytes + line.length > pageBytes);
        if (isFull && !isLeftOut) return { lines, last, hasMore: true };
        last = sequence;
        if (isLeftOut) continue;
        lines.push(line);
        bytes += line.length;
      }
    }
    return { lines, last, hasMore: last < this.publishedSequence };
  }

  /** The lines after `after` that are published now. */
  blocks(after: number): AsyncIterable<LineBlock> {
    this.#checkCursor(after);
    return this.#blocksUpTo(after, this.publishedSequence);
  }

  /** The lines up to this one as the beginning of another log, which has to be told of this one in its form. */
  async share(upTo: number, place: Omit<SharedPlace, "epoch">): Promise<void> {
    this.#checkCursor(upTo);
    const segments = [...this.#publication.segments.all];
    const lines = (after: number) => this.#blocksUpTo(after, upTo);
    await shareSegments({ segments, upTo, lines }, { ...place, epoch: this.#options.fence?.epoch ?? 0 });
  }

  /** Writes and syncs what is appended; readers get the rest and then their end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes the log and removes its files; readers end at once. */
  async destroy(): Promise<void> {
    this.#publication.end("destroyed");
    // What cannot be written any more is going to be removed anyway.
    await this.close().catch(() => {});
    await removeLog(this.#options.directory, this.#options.form.prefix);
  }

  get #title(): string {
    return this.#options.form.title;
  }

  #checkCursor(after: number): void {
    const { owner } = this.#options.form;
    if (!Number.isSafeInteger(after) || after < 0) {
      throw new Failure("invalid_request", `A cursor is a sequence, not ${after}`, { ...owner });
    }
    if (after <= this.#lastSequence) return;
    throw new Failure("cursor_ahead", `${this.#title} ends at ${this.#lastSequence}, the cursor is ${after}`, {
      ...owner,
      lastSequence: this.#lastSequence,
    });
  }

  #openBatch(first: number): Batch {
    const newest = this.#queue.at(-1);
    if (newest !== undefined && newest.size < batchBytes) return newest;
    this.#newest = new Batch(first);
    this.#queue.push(this.#newest);
    return this.#newest;
  }

  async #flush(): Promise<void> {
    // Everything appended in the same turn of the event loop's job joins the first batch.
    await undefined;
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      this.#writing = batch;
      try {
        this.#options.fence?.check();
        const reserving = this.#head.reserve(batch.last);
        if (reserving !== undefined) await reserving;
        await this.#writer.write(sealLines(batch.lines), batch.first);
        if (this.#options.durability === "sync") await this.#member.now();
        if (this.#failure !== undefined) throw this.#failure;
        this.#head.note(batch.last);
      } catch (error) {
        await this.#writer.cutUnpublished();
        this.#fail(error);
        break;
      }
      this.#publish(batch);
    }
    this.#flushing = undefined;
  }

  #publish(batch: Batch): void {
    this.#writer.publish();
    this.#backlog -= batch.size;
    const { last, lines } = batch;
    // Whoever waits for the disk is told first: the sync runs while the readers are served.
    batch.succeed();
    this.#publication.publish(last, lines);
    this.#writing = undefined;
    if (this.#options.durability === "batch") this.#member.touch();
  }

  readonly #syncBatch = async (batch: Batch): Promise<void> => {
    await batch.written;
    if (this.#options.durability !== "batch" || batch.last <= this.#syncedSequence) return;
    await this.#member.now();
  };

  async #syncFiles(): Promise<void> {
    const upTo = this.#publication.publishedSequence;
    // A sync after a failed one succeeds although the bytes are lost: the system has forgotten that they were dirty.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#writer.sync();
    } catch (error) {
      throw this.#fail(error);
    }
    this.#syncedSequence = upTo;
  }

  /** The first failure is the log's; whoever comes later is told the same. */
  #fail(error: unknown): Failure {
    if (this.#failure !== undefined) return this.#failure;
    const failure = this.#failureOf(error);
    this.#failure = failure;
    // Numbers of lines that nobody will ever see are not given out.
    this.#lastSequence = this.#publication.publishedSequence;
    this.#backlog = 0;
    this.#tellFailure(failure);
    this.#writing?.fail(failure);
    for (const batch of this.#queue.splice(0)) batch.fail(failure);
    return failure;
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof Failure) return error;
    const { message, code } = error as NodeJS.ErrnoException;
    const failure = new Failure("storage_full", `${this.#title} cannot be written: ${message}`, {
      ...this.#options.form.owner,
      reason: code ?? "unknown",
    });
    failure.cause = error;
    return failure;
  }

  async #close(): Promise<void> {
    await this.#flushing;
    try {
      const isDirty = this.#failure === undefined && this.#syncedSequence < this.publishedSequence;
      if (isDirty && this.#options.durability === "batch") await this.#member.now();
    } finally {
      this.#member.leave();
      await this.#writer.close();
      // A head that keeps its reserve costs numbers after a power loss, nothing else.
      await this.#head.close(this.#failure === undefined).catch(() => {});
      if (this.#publication.lifetime === "open") this.#publication.end("closed");
    }
  }

  async *#blocksUpTo(after: number, upTo: number): AsyncGenerator<LineBlock, void, undefined> {
    const cursor = new LineCursor(this.#publication.segments, after);
    try {
      for (let next = after + 1; next <= upTo; ) {
        const block = await cursor.read();
        if (block === undefined) throw new Error(`Line ${next} is published but not in the files`);
        next = block.first + block.ends.length;
        yield { ...block, ends: block.ends.slice(0, upTo - block.first + 1) };
      }
    } finally {
      await cursor.close();
    }
  }
}
