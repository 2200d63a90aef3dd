import type { EventBody, EventSource } from "@muster/schema";
import type { Appended, EventDraft, EventLog } from "../event-log/index.ts";
import { type Fold, fold } from "./fold.ts";

/**
 * The pen of a session: what is emitted is folded at once and reaches the log with the next flush, in one append. The
 * number of an event is known when it is emitted, because nobody else appends.
 */
export class Journal {
  readonly log: EventLog;
  readonly state: Fold;
  readonly #onAppended: (drafts: readonly EventDraft[], appended: Appended) => void;
  #drafts: EventDraft[] = [];
  #millis = Number.NaN;
  #time = "";

  constructor(
    log: EventLog,
    state: Fold,
    onAppended: (drafts: readonly EventDraft[], appended: Appended) => void = () => {},
  ) {
    this.log = log;
    this.state = state;
    this.#onAppended = onAppended;
  }

  /** An event of the open turn, or of the turn given; `null` means of no turn. */
  emit(source: EventSource, body: EventBody, turnId: string | null | undefined = this.state.turn?.turnId): void {
    const draft = { source, turnId: turnId ?? undefined, body };
    this.#drafts.push(draft);
    const sequence = this.log.lastSequence + this.#drafts.length;
    fold(this.state, { sequence, time: this.#now(), source, turnId: draft.turnId, body });
  }

  /** Hands what was emitted to the log. */
  flush(): Appended | undefined {
    if (this.#drafts.length === 0) return undefined;
    const drafts = this.#drafts;
    this.#drafts = [];
    const appended = this.log.append(drafts);
    this.#onAppended(drafts, appended);
    return appended;
  }

  /** Hands over what was emitted and waits until it is as durable as was promised. */
  async sync(): Promise<void> {
    await this.flush()?.synced();
  }

  /** Agents say many things per millisecond; the text of a time is made once for all of them. */
  #now(): string {
    const millis = Date.now();
    if (millis !== this.#millis) {
      this.#millis = millis;
      this.#time = new Date(millis).toISOString();
    }
    return this.#time;
  }
}
