import { formatFrames, type WrittenFrame } from "@muster/core";
import type { FrameSource } from "./frame-source.ts";

/** Frames as the bytes of a response. */
export function frameBytes(frames: readonly WrittenFrame[]): Buffer {
  return Buffer.from(formatFrames(frames));
}

/** Frames that come by themselves and wait to be taken. */
export class PushedFrames implements FrameSource {
  readonly #onClose: (() => void) | undefined;
  #waiting: WrittenFrame[] = [];
  #waitingChars = 0;
  #isEnded = false;
  #wake: (() => void) | undefined;
  #failure: unknown;

  constructor(onClose?: () => void) {
    this.#onClose = onClose;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get waitingChars(): number {
    return this.#waitingChars;
  }

  push(frame: WrittenFrame): void {
    if (this.#isEnded) return;
    this.#waiting.push(frame);
    this.#waitingChars += frame.data.length;
    this.#wake?.();
  }

  /** No more will come; what waits can still be taken. With an error that is thrown afterwards. */
  end(failure?: unknown): void {
    this.#failure = failure;
    this.close();
  }

  take(): Buffer | undefined {
    if (this.#waiting.length === 0) return undefined;
    const frames = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    return frameBytes(frames);
  }

  async next(): Promise<Buffer | null> {
    for (;;) {
      const frames = this.take();
      if (frames !== undefined) return frames;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isEnded) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#isEnded = true;
    this.#onClose?.();
    this.#wake?.();
  }
}
