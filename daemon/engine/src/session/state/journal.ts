import type { Appended } from "@muster/log";
import type { EventBody, EventSource } from "@muster/schema";
import type { Counters } from "../../counters.ts";
import type { EventDraft, EventLog } from "../../event-log/index.ts";
import type { Feed } from "../../feed.ts";
import { type Fold, fold } from "../../fold.ts";

/** Who hears of all sessions. */
export interface Audience {
  counters: Counters;
  feed: Feed;
}

/**
 * The pen of a session: what is emitted is folded at once and reaches the log with the next flush, in one append. The
 * number of an event is known when it is emitted, because nobody else appends.
 */
export class Journal {
  readonly log: EventLog;
  readonly state: Fold;
  /** Called with each event just folded; what it emits comes right after it. */
  onFolded: ((body: EventBody) => void) | undefined;
  readonly #audience: Audience | undefined;
  #drafts: EventDraft[] = [];
  #time = "";

  constructor(log: EventLog, state: Fold, audience?: Audience) {
    this.log = log;
    this.state = state;
    this.#audience = audience;
  }

  /** An event of the open turn, or of the turn given; `null` means of no turn. */
  emit(source: EventSource, body: EventBody, turnId: string | null | undefined = this.state.turn?.turnId): void {
    // What cannot be written has not happened.
    if (this.log.failed) throw this.log.failed;
    const sequence = this.log.lastSequence + this.#drafts.length + 1;
    // An agent says many things in one breath; the text of a time is made once for all of them.
    if (this.#drafts.length === 0) this.#time = new Date().toISOString();
    const event = { sequence, time: this.#time, source, turnId: turnId ?? undefined, body };
    this.#drafts.push(event);
    fold(this.state, event);
    this.onFolded?.(body);
  }

  /** After a failure of the disk: the state is what the log holds, and what never reached it is forgotten. */
  rewind(state: Fold): void {
    this.#drafts = [];
    Object.assign(this.state, state);
  }

  /** Hands what was emitted to the log. */
  flush(): Appended | undefined {
    if (this.#drafts.length === 0) return undefined;
    const drafts = this.#drafts;
    this.#drafts = [];
    const appended = this.log.append(drafts);
    this.#audience?.counters.count(drafts);
    this.#audience?.feed.add(this.log, drafts, appended);
    return appended;
  }

  /** Hands over what was emitted and waits until it is as durable as was promised. */
  async sync(): Promise<void> {
    await this.flush()?.synced();
  }

  /** The same for everything up to now, whoever handed it over. Throws once the disk has failed. */
  async syncAll(): Promise<void> {
    this.flush();
    await this.log.append([]).synced();
  }
}
