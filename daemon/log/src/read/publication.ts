import type { NewLines } from "../lines/line-block.ts";
import type { Segments } from "../segments/segments.ts";
import type { Framing } from "./frames.ts";
import { CursorReader, type ReaderHost, type ReaderOptions } from "./log-reader.ts";
import { SharedReads } from "./shared-reads.ts";
import { Tail } from "./tail.ts";

/** What the log and its readers share: what is published, and who waits for more. */
export class Publication implements ReaderHost {
  readonly segments: Segments;
  readonly tail: Tail;
  publishedSequence: number;
  lifetime: "open" | "closed" | "destroyed" = "open";
  readonly #files: { whole: SharedReads; withoutSkippable: SharedReads };
  #readers = 0;
  #waiting = new Set<CursorReader>();

  constructor(segments: Segments, publishedSequence: number, framing: Framing, tailBytes: number) {
    this.segments = segments;
    this.tail = new Tail(framing, tailBytes);
    this.publishedSequence = publishedSequence;
    const files = (withSkippable: boolean) => new SharedReads(segments, framing, withSkippable);
    this.#files = { whole: files(true), withoutSkippable: files(false) };
  }

  filesFor(withSkippable: boolean): SharedReads {
    return withSkippable ? this.#files.whole : this.#files.withoutSkippable;
  }

  addReader(after: number, options: ReaderOptions): CursorReader {
    this.#readers++;
    return new CursorReader(this, after, options);
  }

  publish(last: number, lines: readonly NewLines[]): void {
    this.publishedSequence = last;
    if (this.#readers === 0) return;
    this.tail.add(lines);
    this.#wakeAll();
  }

  end(lifetime: "closed" | "destroyed"): void {
    this.lifetime = lifetime;
    this.#wakeAll();
  }

  get readerCount(): number {
    return this.#readers;
  }

  wait(reader: CursorReader): void {
    this.#waiting.add(reader);
    if (this.#waiting.size === this.#readers) this.tail.shrink();
  }

  leave(reader: CursorReader): void {
    this.#readers--;
    this.#waiting.delete(reader);
    // A log nobody reads keeps nothing in memory.
    if (this.#readers === 0) this.tail.clear();
  }

  #wakeAll(): void {
    const waiting = this.#waiting;
    if (waiting.size === 0) return;
    this.#waiting = new Set();
    for (const reader of waiting) reader.wake();
  }
}
