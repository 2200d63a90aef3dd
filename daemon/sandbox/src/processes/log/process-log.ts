import { type Durability, type GroupSync, Log, type LogReader } from "@muster/log";
import { Failure, type ProcessChunk } from "@muster/schema/wire";
import { bytesOf, chunkOf, type LineContent, outputForm, outputLines } from "./output-lines.ts";

export interface ProcessLogOptions {
  directory: string;
  processId: string;
  durability: Durability;
  groupSync: GroupSync;
}

export interface ChunkPage {
  readonly chunks: ProcessChunk[];
  /** The offset behind the last of them. */
  readonly next: number;
  readonly hasMore: boolean;
}

/** Several lines at most are looked through for one that knows its place. */
const pageLines = 64;

/** What one process has written: numbered lines of output, each with its place among all bytes. */
export class ProcessLog {
  readonly #log: Log;
  readonly #processId: string;
  #end = 0;
  #hasEnded = false;

  static async open(options: ProcessLogOptions): Promise<ProcessLog> {
    const log = new ProcessLog(await Log.open({ ...options, form: outputForm(options.processId) }), options.processId);
    await log.#findEnd();
    return log;
  }

  private constructor(log: Log, processId: string) {
    this.#log = log;
    this.#processId = processId;
  }

  /** How many bytes of output it has. */
  get end(): number {
    return this.#end;
  }

  /** Its last line is there: nothing comes behind it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when they are in the file and readers have them; rejects when the disk refuses them. */
  append(contents: readonly LineContent[]): Promise<void> {
    const appended = this.#log.append(outputLines(this.#log.nextSequence(), contents));
    for (const content of contents) {
      if (content.type === "output") this.#end = content.end;
      if (content.type === "ended") this.#hasEnded = true;
    }
    return appended.written;
  }

  /** A page from a byte on; at least one piece where there is any. */
  async read(offset: number, limit: number): Promise<ChunkPage> {
    this.#check(offset);
    const chunks: ProcessChunk[] = [];
    let [after, next, taken] = [(await this.#firstFrom(offset)) - 1, offset, 0];
    for (let hasMore = true; hasMore && taken < limit; ) {
      const page = await this.#log.read(after, pageLines);
      for (const line of page.lines) {
        const chunk = chunkFrom(chunkOf(line), offset);
        after++;
        if (chunk === undefined) continue;
        chunks.push(chunk);
        if (chunk.type !== "output") continue;
        taken += chunk.end - chunk.offset;
        next = chunk.end;
        if (taken >= limit) break;
      }
      hasMore = page.hasMore;
    }
    return { chunks, next, hasMore: after < this.#log.publishedSequence };
  }

  /** From a byte on, past and future alike. */
  async reader(offset: number): Promise<ChunkReader> {
    this.#check(offset);
    return new ChunkReader(this.#log.reader((await this.#firstFrom(offset)) - 1), offset);
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  destroy(): Promise<void> {
    return this.#log.destroy();
  }

  #check(offset: number): void {
    if (offset <= this.#end) return;
    const detail = `Process ${this.#processId} has written ${this.#end} bytes, the offset is ${offset}`;
    throw new Failure("cursor_ahead", detail, { processId: this.#processId, outputBytes: this.#end });
  }

  async #findEnd(): Promise<void> {
    const last = this.#log.publishedSequence;
    // The newest line that is not lost knows it.
    for (let sequence = last; sequence > 0; sequence--) {
      const chunk = await this.#at(sequence);
      if (chunk === undefined || chunk.type === "damaged") continue;
      this.#end = placeBehind(chunk);
      this.#hasEnded = chunk.type === "ended";
      return;
    }
  }

  /** The number of the first line that has something from this byte on. */
  async #firstFrom(offset: number): Promise<number> {
    let [low, high] = [1, this.#log.publishedSequence + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const known = await this.#knownFrom(middle, high);
      if (known === undefined || placeBehind(known.chunk) >= offset) high = middle;
      else low = known.sequence + 1;
    }
    return low;
  }

  /** The first line from here on that is not lost. */
  async #knownFrom(from: number, before: number) {
    for (let sequence = from; sequence < before; sequence++) {
      const chunk = await this.#at(sequence);
      if (chunk !== undefined && chunk.type !== "damaged") return { sequence, chunk };
    }
    return undefined;
  }

  async #at(sequence: number): Promise<ProcessChunk | undefined> {
    const [line] = (await this.#log.read(sequence - 1, 1)).lines;
    return line && chunkOf(line);
  }
}

/** Chunks as they come; the first may begin in the middle of a line. */
export class ChunkReader {
  readonly #reader: LogReader;
  readonly #offset: number;
  #position: number;
  #isOver = false;

  constructor(reader: LogReader, offset: number) {
    this.#reader = reader;
    this.#offset = offset;
    this.#position = offset;
  }

  /** Behind all that was given out. */
  get position(): number {
    return this.#position;
  }

  /** Waits for more; null when the process has ended and all was given out, or when the reader is closed. */
  async next(): Promise<ProcessChunk[] | null> {
    while (!this.#isOver) {
      const frames = await this.#reader.next();
      if (frames === null) return null;
      const chunks: ProcessChunk[] = [];
      let start = 0;
      for (const end of frames.ends) {
        const chunk = chunkFrom(chunkOf(frames.bytes.subarray(start, end - 1)), this.#offset);
        start = end;
        if (chunk === undefined) continue;
        chunks.push(chunk);
        if (chunk.type === "output") this.#position = chunk.end;
        if (chunk.type === "ended") this.#isOver = true;
      }
      if (chunks.length > 0) return chunks;
    }
    this.close();
    return null;
  }

  close(): void {
    this.#reader.close();
  }
}

function placeBehind(chunk: Exclude<ProcessChunk, { type: "damaged" }>): number {
  return chunk.type === "output" ? chunk.end : chunk.offset;
}

/** What a chunk has from this byte on; undefined when it has nothing. */
function chunkFrom(chunk: ProcessChunk, offset: number): ProcessChunk | undefined {
  if (chunk.type !== "output" || chunk.offset >= offset) return chunk;
  if (chunk.end <= offset) return undefined;
  const rest = bytesOf(chunk).subarray(offset - chunk.offset);
  return { ...chunk, offset, data: rest.toString("base64") };
}
