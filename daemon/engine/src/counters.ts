import type { EventDraft } from "./event-log/index.ts";

/** What the daemon has done since its start, for /metrics. */
export class Counters {
  events = 0;
  turnsStarted = 0;
  readonly turnsEnded: Record<string, number> = {};
  messages = 0;
  requests = 0;
  unparsed = 0;

  count(drafts: readonly EventDraft[]): void {
    this.events += drafts.length;
    for (const { body } of drafts) {
      switch (body.type) {
        case "turn.started":
          this.turnsStarted++;
          break;
        case "turn.ended":
          this.turnsEnded[body.data.status] = (this.turnsEnded[body.data.status] ?? 0) + 1;
          break;
        case "message.updated":
          if (body.data.status === "queued") this.messages++;
          break;
        case "question.requested":
        case "permission.requested":
          this.requests++;
          break;
        case "agent.unparsed":
          this.unparsed++;
          break;
      }
    }
  }
}
