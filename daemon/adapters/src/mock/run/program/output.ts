import { once } from "node:events";
import type { Writable } from "node:stream";

const flushAt = 32 * 1024;

/** The agent's stdout: lines of one moment leave together, and `room` waits for a pipe that is full. */
export class Output {
  readonly #pipe: Writable;
  #text = "";
  #scheduled = false;

  constructor(pipe: Writable) {
    this.#pipe = pipe;
    // A daemon that went away is noticed by the end of stdin.
    pipe.on("error", () => {});
  }

  say(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length >= flushAt) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => this.#flush());
    }
  }

  /** Bytes as they are, for output that is not a line of ours. */
  async raw(bytes: string | Buffer): Promise<void> {
    this.#flush();
    this.#pipe.write(bytes);
    await this.room();
  }

  async room(): Promise<void> {
    if (this.#pipe.writableNeedDrain) await once(this.#pipe, "drain");
  }

  /** Resolves when everything said is in the pipe. */
  delivered(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.#pipe.write("", () => resolve()));
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#text === "") return;
    const text = this.#text;
    this.#text = "";
    this.#pipe.write(text);
  }
}
