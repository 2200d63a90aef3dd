/** One event of a `text/event-stream`. Comments are read and dropped. */
export interface Frame {
  id?: string;
  event?: string;
  /** Only its beginning where `oversizedChars` tells how much came. */
  data: string;
  oversizedChars?: number;
}

export interface ReadFrames {
  /** Throws when nothing at all arrives for so long. */
  silenceMs?: number;
  /** Data longer than this is not kept: a frame tells how long it was. */
  mostChars?: number;
}

const keptChars = 64 * 1024;

/**
 * Reads frames as the body arrives; asks for the next chunk only when the frames of the last one are taken. A frame
 * that the end of the body cuts off is dropped.
 */
export async function* readFrames(body: ReadableStream<Uint8Array>, options?: ReadFrames): AsyncGenerator<Frame> {
  for await (const frames of readFrameBatches(body, options)) yield* frames;
}

/** The same, with the frames of one chunk together; never an empty list. */
export async function* readFrameBatches(
  body: ReadableStream<Uint8Array>,
  { silenceMs, mostChars }: ReadFrames = {},
): AsyncGenerator<Frame[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new FrameParser(mostChars);
  try {
    for (;;) {
      const { done, value } = await (silenceMs === undefined ? reader.read() : within(silenceMs, reader.read()));
      if (done) return;
      const frames = parser.push(decoder.decode(value, { stream: true }));
      if (frames.length > 0) yield frames;
    }
  } finally {
    // Cancelling a body that has failed rejects with that failure, which the caller already has.
    reader.cancel().catch(() => {});
  }
}

/** Text in, frames out; chunks may end anywhere, also between CR and LF. */
class FrameParser {
  readonly #mostChars: number;
  #line = "";
  /** Of a line or of data that is too long: what came and was not kept. */
  #droppedChars = 0;
  #afterCarriageReturn = false;
  #id: string | undefined;
  #event: string | undefined;
  #data: string[] = [];
  #dataChars = 0;

  constructor(mostChars = Number.POSITIVE_INFINITY) {
    this.#mostChars = mostChars;
  }

  push(text: string): Frame[] {
    const frames: Frame[] = [];
    let start = this.#afterCarriageReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#afterCarriageReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.#keep(text.slice(start, end.index));
      const frame = this.#take(this.#line);
      if (frame !== undefined) frames.push(frame);
      this.#line = "";
      start = ends.lastIndex;
    }
    this.#keep(text.slice(start));
    return frames;
  }

  #keep(text: string): void {
    const chars = this.#dataChars + this.#line.length + text.length;
    if (chars <= this.#mostChars && this.#droppedChars === 0) this.#line += text;
    else {
      const whole = this.#line + text;
      this.#line = whole.slice(0, keptChars);
      this.#droppedChars += whole.length - this.#line.length;
    }
  }

  #take(line: string): Frame | undefined {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") {
      this.#data.push(value);
      this.#dataChars += value.length;
    } else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #finish(): Frame | undefined {
    const data = this.#data.join("\n");
    const frame: Frame = { data, id: this.#id, event: this.#event };
    if (this.#droppedChars > 0) {
      frame.data = data.slice(0, keptChars);
      frame.oversizedChars = data.length + this.#droppedChars;
    }
    const isEmpty = this.#data.length === 0;
    this.#id = undefined;
    this.#event = undefined;
    this.#data = [];
    this.#dataChars = 0;
    this.#droppedChars = 0;
    return isEmpty ? undefined : frame;
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing arrived for ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
