import type { Body, EventBody, EventSource } from "@muster/schema";
import { fitData } from "./fit-event.ts";

export interface EventDraft {
  source: EventSource;
  turnId?: string;
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
  #envelope = { time: "", source: "", turnId: undefined as string | undefined, type: "", text: "" };
  #delta = { itemId: "", index: -1, part: "", head: "" };
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
    const envelope = this.#envelopeOf(time, draft);
    const json = type === "item.delta" ? this.#deltaJson(data) : JSON.stringify(data);
    const line = `{"sequence":${sequence}${envelope}${json}}`;
    // A UTF-16 unit is at most three bytes, so nearly every line is known to fit without counting its bytes.
    if (line.length * 3 <= maxEventBytes || Buffer.byteLength(line) <= maxEventBytes) return line;
    const head = `{"sequence":${sequence}${envelope}`;
    const fitted = fitData(data, maxEventBytes - Buffer.byteLength(head) - truncatedBytes);
    return `${head}${JSON.stringify(fitted.data)},"truncated":${JSON.stringify(fitted.truncated)}}`;
  }

  /** Most events are deltas, and most deltas differ from the one before in their text alone. */
  #deltaJson({ itemId, index, part, delta }: Body<"item.delta">["data"]): string {
    const last = this.#delta;
    if (last.itemId !== itemId || last.index !== index || last.part !== part) {
      const head = JSON.stringify({ itemId, index, part });
      this.#delta = { itemId, index, part, head: `${head.slice(0, -1)},"delta":` };
    }
    return `${this.#delta.head}${JSON.stringify(delta)}}`;
  }

  /** Deltas come in runs that differ in nothing but number and data: what lies between is made once for a run. */
  #envelopeOf(time: string, { source, turnId, body }: EventDraft): string {
    const last = this.#envelope;
    if (last.type === body.type && last.time === time && last.turnId === turnId && last.source === source) {
      return last.text;
    }
    const turn = turnId === undefined ? "" : `"turnId":${JSON.stringify(turnId)},`;
    const text = `,"time":"${time}",${this.#session}${turn}"source":"${source}","type":"${body.type}","data":`;
    this.#envelope = { time, source, turnId, type: body.type, text };
    return text;
  }
}
