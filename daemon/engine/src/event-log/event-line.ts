import type { EventBody, EventSource } from "@muster/schema";
import { fitData } from "./fit-event.ts";

export interface EventDraft {
  source: EventSource;
  turnId?: string | undefined;
  body: EventBody;
}

/** The longest JSON of one event, in bytes. */
export const maxEventBytes = 1024 * 1024;
/** What `,"truncated":{…}` may need: its field is at most 200 characters, 6 bytes each when escaped. */
const truncatedBytes = 1_536;

/**
 * Drafts → lines of the log. A line is the SSE payload, so its keys keep their order: whatever a turn is called,
 * the first `"type":"` of a line is the envelope's.
 */
export class EventLines {
  readonly #session: string;
  #turnId: string | undefined;
  #turn = "";
  #millis = Number.NaN;
  #time = "";

  constructor(sessionId: string) {
    this.#session = `"sessionId":${JSON.stringify(sessionId)},`;
  }

  /** Agents send many events per millisecond; the text of a time is made once for all of them. */
  timeOf(millis: number): string {
    if (millis !== this.#millis) {
      this.#time = new Date(millis).toISOString();
      this.#millis = millis;
    }
    return this.#time;
  }

  line(sequence: number, time: string, draft: EventDraft): string {
    const { type, data } = draft.body;
    const turn = this.#turnOf(draft.turnId);
    const head = `{"sequence":${sequence},"time":"${time}",${this.#session}${turn}"source":"${draft.source}","type":"${type}","data":`;
    const line = `${head}${JSON.stringify(data)}}`;
    // A UTF-16 unit is at most three bytes, so nearly every line is known to fit without counting its bytes.
    if (line.length * 3 <= maxEventBytes || Buffer.byteLength(line) <= maxEventBytes) return line;
    const fitted = fitData(data, maxEventBytes - Buffer.byteLength(head) - truncatedBytes);
    return `${head}${JSON.stringify(fitted.data)},"truncated":${JSON.stringify(fitted.truncated)}}`;
  }

  #turnOf(turnId: string | undefined): string {
    if (turnId !== this.#turnId) {
      this.#turnId = turnId;
      this.#turn = turnId === undefined ? "" : `"turnId":${JSON.stringify(turnId)},`;
    }
    return this.#turn;
  }
}
