import { dataOf, FrameCutter, framesOf } from "@muster/node";
import { readUsage } from "./read-usage.ts";
import type { Protocol, Usage } from "./usage.ts";

const usageKeys = { gemini: Buffer.from('"usageMetadata"'), others: Buffer.from('"usage"') };

/** Reads what a call used from the bytes of its stream, in whatever pieces they come. */
export class UsageReader {
  readonly #protocol: Protocol;
  readonly #cutter = new FrameCutter();
  #usage: Usage | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  push(chunk: Uint8Array): void {
    this.#read(this.#cutter.push(chunk));
  }

  /** What is known so far; reads a last frame that was cut off before its end, should it be whole JSON. */
  end(): Usage | undefined {
    this.#read(this.#cutter.rest());
    return this.#usage;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  #read(slice: Buffer): void {
    const usageKey = this.#protocol === "gemini" ? usageKeys.gemini : usageKeys.others;
    // Most slices hold words, not counts: nothing is parsed for them.
    if (!slice.includes(usageKey)) return;
    for (const frame of framesOf(slice)) {
      if (!frame.includes(usageKey)) continue;
      this.#usage = readUsage(this.#protocol, this.#usage, parse(dataOf(frame)));
    }
  }
}

/** A frame that is not JSON tells nothing; whoever forwards it shows it to the reader as it is. */
function parse(data: string | undefined): unknown {
  try {
    return data === undefined ? undefined : JSON.parse(data);
  } catch {
    return undefined;
  }
}
