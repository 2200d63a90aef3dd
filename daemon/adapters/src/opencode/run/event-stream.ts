import { setTimeout as sleep } from "node:timers/promises";
import { type Frame, readFrameBatches } from "@muster/core";
import type { Line } from "@muster/node";
import type { OpencodeHttp } from "./http.ts";

interface EventStreamOptions {
  http: OpencodeHttp;
  onLines: (lines: Line[]) => void;
  /** The stream was interrupted and is there again: what was said in between is lost. */
  onGap: () => Promise<void>;
  log: (message: string, fields: Record<string, unknown>) => void;
  /** Nothing for so long, not even a heartbeat, which comes every 10 s: the stream is dead. */
  silenceMs?: number;
}

/** As for a line of a process. */
const mostChars = 16 * 1024 * 1024;
const pausesMs = [50, 200, 500, 1_000, 2_000];

/** `GET /global/event`, opened again whenever it ends. There is no replay, so a gap is told. */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #closing = new AbortController();
  #isConnected: () => void = () => {};

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** Resolves when the server has confirmed the subscription; rejects when it does not within `timeoutMs`. */
  async open(timeoutMs: number): Promise<void> {
    const connected = new Promise<void>((resolve) => {
      this.#isConnected = resolve;
    });
    void this.#run();
    const late = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]);
    const failed = new Promise<never>((_, reject) => {
      late.addEventListener("abort", () => reject(new Error("OpenCode did not open its event stream")), { once: true });
    });
    await Promise.race([connected, failed]);
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0, first = true; !signal.aborted; ) {
      try {
        await this.#read(() => {
          failures = 0;
          if (first) this.#isConnected();
          else void this.#tellGap();
          first = false;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log("the event stream of a server was interrupted", { error: String(error) });
      }
      const pause = pausesMs[Math.min(failures++, pausesMs.length - 1)];
      // Closing ends the pause; the loop looks at the signal next.
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  async #tellGap(): Promise<void> {
    try {
      await this.#options.onGap();
    } catch (error) {
      this.#options.log("what a server said could not be read again", { error: String(error) });
    }
  }

  async #read(onConnected: () => void): Promise<void> {
    const { onLines, silenceMs = 45_000 } = this.#options;
    const body = await this.#connect(silenceMs);
    let isFirst = true;
    for await (const frames of readFrameBatches(body, { silenceMs, mostChars })) {
      if (isFirst) onConnected();
      isFirst = false;
      onLines(frames.map(lineOf));
    }
  }

  async #connect(silenceMs: number): Promise<ReadableStream<Uint8Array>> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error("The server fell silent")), silenceMs);
    try {
      const signal = AbortSignal.any([this.#closing.signal, silence.signal]);
      return await this.#options.http.stream("/global/event", signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

function lineOf({ data, oversizedChars }: Frame): Line {
  return oversizedChars === undefined ? data : { problem: "oversized", head: data, bytes: oversizedChars };
}
