import type { Appended } from "@muster/log";
import { SerialQueues } from "@muster/node";
import type { EventType } from "@muster/schema";
import type { EventDraft, EventLog } from "./event-log/index.ts";

/** One event of some session, as it is stored. */
export interface FeedEvent {
  sessionId: string;
  sequence: number;
  line: Buffer;
}

/** State changes and requests: what somebody who watches all sessions wants to see. */
const watched: ReadonlySet<EventType> = new Set<EventType>([
  "session.started",
  "session.updated",
  "session.ended",
  "message.updated",
  "turn.started",
  "turn.ended",
  "question.requested",
  "question.resolved",
  "permission.requested",
  "permission.resolved",
  "error",
]);

/** The state changes and requests of all sessions, live. Costs nothing while nobody listens. */
export class Feed {
  readonly #listeners = new Set<(event: FeedEvent) => void>();
  readonly #queues = new SerialQueues();

  subscribe(listener: (event: FeedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows what was appended to the listeners, as soon as it is written. */
  add(log: EventLog, drafts: readonly EventDraft[], appended: Appended): void {
    if (this.#listeners.size === 0 || !drafts.some(({ body }) => watched.has(body.type))) return;
    // What could not be written was never an event; the session itself tells of its broken log.
    void this.#queues.run(log.sessionId, () => this.#publish(log, drafts, appended)).catch(() => undefined);
  }

  async #publish(log: EventLog, drafts: readonly EventDraft[], { first, last, written }: Appended) {
    const { sessionId } = log;
    await written;
    const { lines } = await log.read(first - 1, last - first + 1);
    for (const [index, line] of lines.entries()) {
      const type = drafts[index]?.body.type;
      if (!type || !watched.has(type)) continue;
      for (const listener of this.#listeners) listener({ sessionId, sequence: first + index, line });
    }
  }
}
