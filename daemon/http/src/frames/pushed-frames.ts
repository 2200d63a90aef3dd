import type { WrittenFrame } from "@muster/core";
import { chunkOf, type FrameChunk, type FrameSource } from "./frame-source.ts";

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

  async next(): Promise<FrameChunk | null> {
    while (this.#waiting.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isEnded) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const frames = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    return chunkOf(frames);
  }

  close(): void {
    this.#isEnded = true;
    this.#onClose?.();
    this.#wake?.();
  }
}
