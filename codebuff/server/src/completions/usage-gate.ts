import { parseJson } from "@muster/core";
import type { Passage } from "@muster/forwarding";
import { readUsage, type Usage } from "@muster/metering";
import { dataOf, FrameCutter, framesOf } from "@muster/node";
import { OutputCounter } from "./output-counter.ts";
import { showCredits } from "./shown-usage.ts";

const usageKey = Buffer.from('"usage"');
const doneMark = Buffer.from("[DONE]");
/** Frames behind a usage frame wait with it; a stream in which more than this follows was not at its end. */
const mostWaitingBytes = 1024 * 1024;

/**
 * Stands in a stream of frames and lets everything pass but the last frame with a usage: that one waits until the end is
 * known, because the call is settled before the client may see what it cost.
 */
export class UsageGate implements Passage {
  /** Whatever goes through is counted. */
  readonly output: OutputCounter;
  readonly #cutter = new FrameCutter();
  #held: Buffer | undefined;
  #behind: Buffer[] = [];
  #behindBytes = 0;
  #usage: Usage | undefined;
  #isDone = false;

  constructor(output = new OutputCounter()) {
    this.output = output;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The provider said that it is done. */
  get isDone(): boolean {
    return this.#isDone;
  }

  push(bytes: Buffer): Buffer[] {
    return this.#pass(this.#cutter.push(bytes));
  }

  /** Some end their last frame with the stream and not with a blank line. */
  rest(): Buffer[] {
    return this.#pass(this.#cutter.rest());
  }

  /** What may go on to the client now. Most slices hold no usage and pass untouched. */
  #pass(slice: Buffer): Buffer[] {
    this.output.push(slice);
    if (this.#held === undefined && !slice.includes(usageKey) && !slice.includes(doneMark)) return [slice];
    const out: Buffer[] = [];
    for (const frame of framesOf(slice)) {
      if (isDone(frame)) this.#isDone = true;
      const usage = frame.includes(usageKey) ? readUsage("chat", undefined, parseJson(dataOf(frame))) : undefined;
      if (usage !== undefined) {
        out.push(...this.#letGo());
        this.#usage = usage;
        this.#held = frame;
      } else if (this.#held === undefined && !this.#isDone) out.push(frame);
      else this.#wait(frame, out);
    }
    return out;
  }

  /** The rest of the stream after the call is settled; the usage says what the client is to see. */
  end(credits: number): Buffer[] {
    const held = this.#held;
    const rest = this.#behind;
    this.#held = undefined;
    this.#behind = [];
    return held === undefined ? rest : [rewrite(held, credits), ...rest];
  }

  #wait(frame: Buffer, out: Buffer[]): void {
    this.#behind.push(frame);
    this.#behindBytes += frame.length;
    if (this.#behindBytes > mostWaitingBytes) out.push(...this.#letGo());
  }

  #letGo(): Buffer[] {
    const frames = this.#held === undefined ? this.#behind : [this.#held, ...this.#behind];
    this.#held = undefined;
    this.#behind = [];
    this.#behindBytes = 0;
    return frames;
  }
}

function isDone(frame: Buffer): boolean {
  return frame.includes(doneMark) && dataOf(frame)?.trim() === "[DONE]";
}

function rewrite(frame: Buffer, credits: number): Buffer {
  return Buffer.from(
    `data: ${JSON.stringify(showCredits(parseJson(dataOf(frame)) as Record<string, unknown>, credits))}\n\n`,
  );
}
