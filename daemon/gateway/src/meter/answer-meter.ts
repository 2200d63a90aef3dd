import type { IncomingHttpHeaders } from "node:http";
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from "node:zlib";
import type { Passage } from "@muster/forwarding";
import { dataOf, FrameCutter, framesOf } from "@muster/node";
import type { WireRequest } from "../ports.ts";
import { nothingTold, readEvent, readWhole, type Told } from "./answer-events.ts";

/** No more of an answer without frames is kept to be read; a longer one is paid for by its length. */
const mostWholeBytes = 32 * 1024 * 1024;
/** Frames without a count are parsed when so much of them has come: of a stream that tells its usage most never are. */
const mostWaitingBytes = 4_096;
const countKeys = { gemini: Buffer.from('"usageMetadata"'), others: Buffer.from('"usage"') };
const doneMark = Buffer.from("[DONE]");
/** How long a cut waits for the end of a frame that has begun. */
const longestFrameMs = 1_000;

interface MeterOptions {
  readonly protocol: WireRequest["protocol"];
  readonly headers: IncomingHttpHeaders;
  /** Something more is known of the answer. */
  readonly onTold: (told: Told) => void;
}

/** Reads a copy of an answer on its way to the client. What goes out is what came in, to the byte, until it is cut. */
export class AnswerMeter implements Passage {
  /** Nothing of an answer is kept back, whatever it says. */
  readonly isDone = false;
  readonly #protocol: WireRequest["protocol"];
  readonly #onTold: (told: Told) => void;
  readonly #cutter: FrameCutter | undefined;
  readonly #decoder: Gunzip | undefined;
  /** The length of the answer was told before it began: nothing may be added to it. */
  readonly #hasLength: boolean;
  #whole: Buffer[] | undefined;
  #wholeBytes = 0;
  #told = nothingTold;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Bytes of the frame that has begun. */
  #pending = 0;
  #onCut: (() => void) | undefined;
  #isCut = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ protocol, headers, onTold }: MeterOptions) {
    this.#protocol = protocol;
    this.#onTold = onTold;
    const isStream = /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
    if (isStream) this.#cutter = new FrameCutter();
    else this.#whole = [];
    this.#hasLength = headers["content-length"] !== undefined;
    this.#decoder = decoderFor(headers["content-encoding"]);
    this.#decoder?.on("data", (bytes: Buffer) => void this.#read(bytes));
    // What cannot be decoded is paid for by estimate; the client sees it as it is.
    this.#decoder?.on("error", () => {});
  }

  get told(): Told {
    this.#told = this.#count(this.#told);
    return this.#told;
  }

  get isStream(): boolean {
    return this.#cutter !== undefined;
  }

  /** Whether a last frame may follow what went out. */
  get takesLastFrame(): boolean {
    return this.#cutter !== undefined && this.#decoder === undefined && !this.#hasLength && this.#pending === 0;
  }

  push(bytes: Buffer): readonly Buffer[] {
    if (this.#isCut) return [];
    if (this.#decoder !== undefined) {
      this.#decoder.write(bytes);
      return [bytes];
    }
    const before = this.#pending;
    const end = this.#read(bytes);
    if (this.#onCut === undefined) return [bytes];
    if (end === 0 && before > 0) return [bytes];
    this.#pending = 0;
    this.#cutNow();
    return [bytes.subarray(0, end)];
  }

  rest(): readonly Buffer[] {
    return [];
  }

  /** Lets no more of the answer out; `onCut` is called as soon as no frame is left half. */
  cut(onCut: () => void): void {
    if (this.#onCut !== undefined) return;
    this.#onCut = onCut;
    if (this.#pending === 0 || this.#cutter === undefined || this.#decoder !== undefined) this.#cutNow();
    else this.#timer = setTimeout(() => this.#cutNow(), longestFrameMs);
  }

  /** The answer is over: what all of it told. */
  async finish(): Promise<Told> {
    clearTimeout(this.#timer);
    await this.#decodeRest();
    if (this.#cutter !== undefined) {
      this.#readFrames(this.#cutter.rest());
      if (!this.#told.isFinal) this.#tell(this.#count(this.#told));
    } else if (this.#whole !== undefined && this.#whole.length > 0) this.#tell(this.#readWhole(this.#whole));
    return this.#told;
  }

  /** The place after the last whole frame in these bytes; 0 when there is none. */
  #read(bytes: Buffer): number {
    if (this.#cutter === undefined) {
      this.#keep(bytes);
      return 0;
    }
    const before = this.#pending;
    try {
      const frames = this.#cutter.push(bytes);
      this.#pending = before + bytes.length - frames.length;
      // The meter may ask for a cut while it reads: all that these bytes hold has then been counted.
      this.#readFrames(frames);
      return frames.length === 0 ? 0 : bytes.length - this.#pending;
    } catch {
      // A frame beyond a mebibyte is passed on unread, and the answer paid for by what was counted.
      this.#pending = 0;
      this.#cutter.rest();
      return bytes.length;
    }
  }

  #readFrames(frames: Buffer): void {
    const countKey = this.#protocol === "gemini" ? countKeys.gemini : countKeys.others;
    const isTelling = (bytes: Buffer) => bytes.includes(countKey) || bytes.includes(doneMark);
    if (!isTelling(frames)) return this.#wait(frames);
    for (const frame of framesOf(frames)) {
      if (isTelling(frame)) this.#told = readEvent(this.#protocol, this.#told, parseText(dataOf(frame)));
      else this.#wait(frame);
    }
    this.#onTold(this.#told);
  }

  #wait(frames: Buffer): void {
    if (this.#told.isFinal || frames.length === 0) return;
    this.#waiting.push(frames);
    this.#waitingBytes += frames.length;
    if (this.#waitingBytes >= mostWaitingBytes) this.#tell(this.#count(this.#told));
  }

  /** Counts the characters of the frames that wait. */
  #count(known: Told): Told {
    let told = known;
    for (const frames of this.#waiting) {
      for (const frame of framesOf(frames)) told = readEvent(this.#protocol, told, parseText(dataOf(frame)));
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    return told;
  }

  #keep(bytes: Buffer): void {
    this.#wholeBytes += bytes.length;
    if (this.#wholeBytes <= mostWholeBytes) this.#whole?.push(bytes);
    else {
      this.#whole = undefined;
      this.#told = { ...this.#told, characters: this.#wholeBytes };
    }
  }

  /** An answer of no known form is counted by its length. */
  #readWhole(whole: readonly Buffer[]): Told {
    const body = parse(whole);
    return body === undefined ? { ...this.#told, characters: this.#wholeBytes } : readWhole(this.#protocol, body);
  }

  #tell(told: Told): void {
    this.#told = told;
    this.#onTold(told);
  }

  #cutNow(): void {
    if (this.#isCut) return;
    clearTimeout(this.#timer);
    this.#isCut = true;
    this.#onCut?.();
  }

  #decodeRest(): Promise<void> {
    const decoder = this.#decoder;
    if (decoder === undefined || decoder.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      decoder
        .once("end", resolve)
        .once("close", resolve)
        .once("error", () => resolve());
      decoder.end();
    });
  }
}

function decoderFor(encoding: string | undefined): Gunzip | undefined {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate() as unknown as Gunzip;
  return encoding === "br" ? (createBrotliDecompress() as unknown as Gunzip) : undefined;
}

function parse(chunks: readonly Buffer[]): unknown {
  return parseText(Buffer.concat(chunks).toString("utf8"));
}

function parseText(text: string | undefined): unknown {
  if (text === "[DONE]") return text;
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // What is not JSON tells nothing; the client sees it as it is.
    return undefined;
  }
}
