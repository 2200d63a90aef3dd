import { ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";

/** What stands between source and target: a meter that looks at the bytes, or a gate that keeps some back. */
export interface Passage {
  /** What may go out now. Throws for bytes that make no sense: the source is then given up. */
  push(bytes: Buffer): readonly Buffer[];
  /** The source has ended: what is left. */
  rest(): readonly Buffer[];
  /** The source has said that it is done; what it says after that is said to nobody. */
  readonly isDone: boolean;
}

/**
 * Pumps bytes from a provider to a client at the pace of the client. A client that takes nothing for `stalledMs` is gone, and
 * behind a client that is gone the source is read to its end, for what it still says about usage.
 */
export class BytePump {
  readonly #source: Readable;
  readonly #target: Writable;
  readonly #stalledMs: number;
  readonly #wrote: () => void;
  #stalled: NodeJS.Timeout | undefined;
  #isDone = false;

  /** `wrote` is called after every write, for a target that was corked until there is something to send. */
  constructor(source: Readable, target: Writable, options: { stalledMs: number; wrote?: () => void }) {
    this.#source = source;
    this.#target = target;
    this.#stalledMs = options.stalledMs;
    this.#wrote = options.wrote ?? (() => {});
    target.once("close", () => this.#flow()).on("drain", () => this.#flow());
    target.once("finish", () => clearTimeout(this.#stalled));
  }

  /** Resolves when the source is done, has ended or was cut; rejects when its bytes make no sense. */
  async run(passage: Passage): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#source.on("data", (chunk: Buffer) => {
        if (this.#isDone) return;
        try {
          this.write(passage.push(chunk));
          if (passage.isDone) resolve();
        } catch (error) {
          reject(error);
        }
        this.#isDone ||= passage.isDone;
      });
      this.#source.on("end", () => {
        if (!this.#isDone) this.write(passage.rest());
        resolve();
      });
      this.#source.on("close", resolve).on("error", () => resolve());
    });
    this.#isDone = true;
  }

  write(buffers: readonly Buffer[]): void {
    if (this.#target.destroyed) return;
    for (const buffer of buffers) if (buffer.length > 0) this.#target.write(buffer);
    this.#wrote();
    if (!this.#target.writableNeedDrain) return;
    this.#source.pause();
    this.#giveUpLater();
  }

  /** The answer is whole. Resolves when the last byte is out, or the client is gone. */
  async end(): Promise<void> {
    this.#giveUpLater();
    await new Promise<void>((resolve) => {
      this.#target.once("close", resolve).end(resolve);
      if (this.#target.destroyed) resolve();
    });
  }

  /** What was written still goes out; then an HTTP client sees its connection break before the end of the answer. */
  cut(): void {
    this.#giveUpLater();
    if (!(this.#target instanceof ServerResponse)) this.#target.end();
    else if (this.#target.socket) this.#target.socket.destroySoon();
    else this.#target.destroy();
  }

  #giveUpLater(): void {
    if (!this.#target.destroyed) this.#stalled ??= setTimeout(() => this.#target.destroy(), this.#stalledMs);
  }

  #flow(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    if (!this.#isDone) this.#source.resume();
  }
}
