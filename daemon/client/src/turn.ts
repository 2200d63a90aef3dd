import { FinalText } from "./final-text.ts";
import type { SentMessage, TurnEnded, UniversalEvent } from "./generated/types.ts";
import { leavable } from "./stream/leavable.ts";
import { MessageEnd } from "./stream/message-end.ts";
import { TurnFailed } from "./turn-failed.ts";

export interface TurnSource {
  messageId: string;
  sent: Promise<SentMessage>;
  /** The events of the session from the message on. */
  read(with_: ReadingTurn): AsyncIterable<UniversalEvent>;
}

export interface ReadingTurn {
  deltas: boolean;
  /** The reader has left. */
  leaving?: AbortSignal;
}

/**
 * A message and the turn it is given to. Reading it gives every event from the message on until its turn has ended,
 * once and in order, over as many connections as it takes; every reader has a stream of its own. Who stops reading does
 * not interrupt the agent.
 */
export class Turn implements AsyncIterable<UniversalEvent> {
  /** The id of the message whose turn this is. */
  readonly messageId: string;
  /** Resolves when the message is safe on the daemon's disk. */
  readonly sent: Promise<SentMessage>;
  readonly #read: TurnSource["read"];
  #last: { event: UniversalEvent; text: string } | undefined;

  constructor({ messageId, sent, read }: TurnSource) {
    this.messageId = messageId;
    this.sent = sent;
    this.#read = read;
  }

  [Symbol.asyncIterator](): AsyncGenerator<UniversalEvent> {
    return leavable((leaving) => this.#follow({ deltas: true, leaving }));
  }

  /** Rejects with `TurnFailed` only when the message never gets a turn: a turn that failed has ended, too. */
  get ended(): Promise<TurnEnded> {
    return this.#finish().then(({ event }) => endOf(event));
  }

  /** The final text. Rejects with `TurnFailed` unless the turn completes. */
  async text(): Promise<string> {
    const { event, text } = await this.#finish();
    const ended = endOf(event);
    if (ended.status === "completed") return text;
    throw new TurnFailed(ended.status, ended);
  }

  async #finish() {
    if (this.#last === undefined) for await (const _ of this.#follow({ deltas: false }));
    if (this.#last === undefined) throw new Error("The events ended before the turn did");
    return this.#last;
  }

  async *#follow(with_: ReadingTurn): AsyncGenerator<UniversalEvent> {
    const end = new MessageEnd(this.messageId);
    const final = new FinalText();
    for await (const event of this.#read(with_)) {
      final.see(event);
      const isLast = end.isLast(event);
      // Before it is given out: who leaves the loop at the last event has seen the end.
      if (isLast) this.#last = { event, text: final.text };
      yield event;
      if (isLast) return;
    }
  }
}

function endOf(event: UniversalEvent): TurnEnded {
  if (event.type === "turn.ended") return event.data;
  const isCancelled = event.type === "message.updated" && event.data.status === "cancelled";
  throw new TurnFailed(isCancelled ? "cancelled" : "failed");
}
