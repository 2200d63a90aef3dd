import type { NewLines } from "@muster/log";
import type { Body, EventBody, EventSource } from "@muster/schema";
import { fitData } from "./fit-event.ts";
import type { LinePage } from "./line-page.ts";

export interface EventDraft {
  source: EventSource;
  turnId?: string;
  body: EventBody;
}

/** What every line begins with; its number follows. */
export const sequenceKey = '{"sequence":';
/** The longest JSON of one event, in bytes. */
export const maxEventBytes = 1024 * 1024;
/** What `,"truncated":{…}` may need: its field is at most 200 characters, 6 bytes each when escaped. */
const truncatedBytes = 1_536;
/** A delta up to this length fits, whatever has to be escaped in it. */
const shortDelta = 64 * 1024;
const sequenceStart = Buffer.from(sequenceKey);
const deltaEnd = Buffer.from("}}\n");
const newline = 10;

/** Drafts → lines of the log. Their keys keep their order: whatever a turn is called, the first `"type":"` of a line is the envelope's. */
export class EventLines {
  readonly #session: string;
  #envelope = { time: "", source: "", turnId: undefined as string | undefined, type: "", text: "" };
  #delta = { itemId: "", index: -1, part: "", head: "" };
  /** What stands between the number and the text of a delta, in bytes. */
  #run = { envelope: "", head: "", bytes: Buffer.alloc(0) };
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

  /** The lines of consecutive events, the first of which has this number. */
  encode(page: LinePage, first: number, time: string, drafts: readonly EventDraft[]): NewLines {
    const ends: number[] = [];
    const bytes = page.fill(() => {
      for (const draft of drafts) {
        this.#addLine(page, first + ends.length, time, draft);
        ends.push(page.used);
      }
    });
    return { first, start: 0, bytes, ends, time, skippable: drafts.map(({ body }) => body.type === "item.delta") };
  }

  line(sequence: number, time: string, draft: EventDraft): string {
    const { data } = draft.body;
    const envelope = this.#envelopeOf(time, draft);
    const json = JSON.stringify(data);
    const line = `${sequenceKey}${sequence}${envelope}${json}}`;
    // A UTF-16 unit is at most three bytes, so nearly every line is known to fit without counting its bytes.
    if (line.length * 3 <= maxEventBytes || Buffer.byteLength(line) <= maxEventBytes) return line;
    const head = `${sequenceKey}${sequence}${envelope}`;
    const fitted = fitData(data, maxEventBytes - Buffer.byteLength(head) - truncatedBytes);
    return `${head}${JSON.stringify(fitted.data)},"truncated":${JSON.stringify(fitted.truncated)}}`;
  }

  /** Most events are deltas, and most deltas differ from the one before in their number and text alone. */
  #addLine(page: LinePage, sequence: number, time: string, draft: EventDraft): void {
    const { type, data } = draft.body;
    if (type !== "item.delta" || data.delta.length > shortDelta) {
      page.addText(this.line(sequence, time, draft));
      return page.addByte(newline);
    }
    const envelope = this.#envelopeOf(time, draft);
    const head = this.#deltaHead(data);
    if (this.#run.envelope !== envelope || this.#run.head !== head) {
      this.#run = { envelope, head, bytes: Buffer.from(envelope + head) };
    }
    page.addBytes(sequenceStart);
    page.addNumber(sequence);
    page.addBytes(this.#run.bytes);
    page.addJson(data.delta);
    page.addBytes(deltaEnd);
  }

  #deltaHead({ itemId, index, part }: Body<"item.delta">["data"]): string {
    const last = this.#delta;
    if (last.itemId !== itemId || last.index !== index || last.part !== part) {
      const head = JSON.stringify({ itemId, index, part });
      this.#delta = { itemId, index, part, head: `${head.slice(0, -1)},"delta":` };
    }
    return this.#delta.head;
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
