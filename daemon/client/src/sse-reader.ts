/** One event of a `text/event-stream`. Comments are read and dropped. */
export interface Frame {
  id?: string;
  event?: string;
  data: string;
}

/**
 * Reads frames as the body arrives; asks for the next chunk only when the frames of the last one are taken. A frame
 * that the end of the body cuts off is dropped. Throws when nothing at all arrives for `silenceMs`, where it is given.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  { silenceMs }: { silenceMs?: number } = {},
): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new FrameParser();
  try {
    for (;;) {
      const { done, value } = await (silenceMs === undefined ? reader.read() : within(silenceMs, reader.read()));
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Cancelling a body that has failed rejects with that failure, which the caller already has.
    reader.cancel().catch(() => {});
  }
}

/** Text in, frames out; chunks may end anywhere, also between CR and LF. */
class FrameParser {
  #line = "";
  #afterCarriageReturn = false;
  #id: string | undefined;
  #event: string | undefined;
  #data: string[] = [];

  push(text: string): Frame[] {
    const frames: Frame[] = [];
    let start = this.#afterCarriageReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#afterCarriageReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      const frame = this.#take(this.#line + text.slice(start, end.index));
      if (frame !== undefined) frames.push(frame);
      this.#line = "";
      start = ends.lastIndex;
    }
    this.#line += text.slice(start);
    return frames;
  }

  #take(line: string): Frame | undefined {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #finish(): Frame | undefined {
    const frame = { data: this.#data.join("\n"), id: this.#id, event: this.#event };
    const isEmpty = this.#data.length === 0;
    this.#id = undefined;
    this.#event = undefined;
    this.#data = [];
    return isEmpty ? undefined : frame;
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing arrived for ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
