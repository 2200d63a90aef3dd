import {
  type Appended,
  type LinesPage,
  Log,
  type LogOptions,
  type LogReader,
  linesOf,
  type Recovery,
} from "@muster/log";
import type { UniversalEvent } from "@muster/schema/wire";
import { eventForm } from "./events/event-form.ts";
import { type EventDraft, EventLines } from "./events/event-line.ts";
import { LinePage } from "./events/line-page.ts";

export interface EventLogOptions extends Omit<LogOptions, "form"> {
  sessionId: string;
  /** The sessions whose events its log begins with. */
  ancestors?: readonly string[] | undefined;
  now?: () => number;
  /** Where lines are put together; logs of one engine share it. */
  page?: LinePage;
}

export interface EventReaderOptions {
  /** false leaves `item.delta` out. */
  deltas?: boolean;
}

/** The events of one session: numbered and timed when appended, kept as lines of a log. What it says of itself is the log's. */
export class EventLog {
  readonly sessionId: string;
  readonly #log: Log;
  readonly #lines: EventLines;
  readonly #page: LinePage;
  readonly #now: () => number;

  /** Creates the directory if it is missing, and cuts off what a crash left half-written. */
  static async open(options: EventLogOptions): Promise<EventLog> {
    return new EventLog(await Log.open({ ...options, form: eventForm(options.sessionId, options.ancestors) }), options);
  }

  private constructor(log: Log, { sessionId, page = new LinePage(), now = Date.now }: EventLogOptions) {
    this.sessionId = sessionId;
    this.#log = log;
    this.#lines = new EventLines(sessionId);
    this.#page = page;
    this.#now = now;
  }

  get recovery(): Recovery | undefined {
    return this.#log.recovery;
  }

  get whenFailed(): Log["whenFailed"] {
    return this.#log.whenFailed;
  }

  get lastSequence(): number {
    return this.#log.lastSequence;
  }

  get publishedSequence(): number {
    return this.#log.publishedSequence;
  }

  get backlogBytes(): number {
    return this.#log.backlogBytes;
  }

  get readerCount(): number {
    return this.#log.readerCount;
  }

  get failed(): Log["failed"] {
    return this.#log.failed;
  }

  /** Numbers the events at once: the order of calls is the order of sequences. Throws once the disk has failed. */
  append(drafts: readonly EventDraft[]): Appended {
    const first = this.#log.nextSequence();
    // All lines before the first number is given out: a draft that is no JSON leaves no hole.
    return this.#log.append(this.#lines.encode(this.#page, first, this.#lines.timeOf(this.#now()), drafts));
  }

  /** A cursor after this sequence. A cursor beyond the end is refused: it belongs to another log. */
  reader(after: number, options: EventReaderOptions = {}): LogReader {
    return this.#log.reader(after, { skips: options.deltas === false });
  }

  /** Up to `limit` published events after `after`, as their JSON; fewer where they are large. */
  read(after: number, limit: number, options: EventReaderOptions = {}): Promise<LinesPage> {
    return this.#log.read(after, limit, { skips: options.deltas === false });
  }

  /** The events after `after` that are published now, for folding them into a state. */
  events(after: number): AsyncIterable<UniversalEvent> {
    return parseBlocks(this.#log.blocks(after));
  }

  /** The events up to this one as the beginning of another session's log, in a directory that is there and empty. */
  async share(
    upTo: number,
    place: { directory: string; sessionId: string; ancestors: readonly string[] },
  ): Promise<void> {
    const { directory, sessionId, ancestors } = place;
    await this.append([]).synced();
    await this.#log.share(upTo, { directory, form: eventForm(sessionId, ancestors) });
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  destroy(): Promise<void> {
    return this.#log.destroy();
  }
}

async function* parseBlocks(blocks: ReturnType<Log["blocks"]>): AsyncGenerator<UniversalEvent, void, undefined> {
  for await (const block of blocks) {
    for (const line of linesOf(block)) yield JSON.parse(line.toString()) as UniversalEvent;
  }
}
