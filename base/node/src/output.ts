import { once } from "node:events";
import type { Writable } from "node:stream";

/** Standard output that waits for its reader and falls silent when the reader has gone. */
export class Output {
  readonly #stream: Writable;
  readonly #closed = new AbortController();

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#closed.abort(error);
    });
  }

  /** Aborted when nobody reads any more (EPIPE: `… | head`), or writing fails otherwise; the reason is the error. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async write(text: string): Promise<void> {
    if (text === "" || this.closed.aborted || this.#stream.write(text)) return;
    // `closed` tells the reason to whoever writes next.
    await once(this.#stream, "drain", { signal: this.closed }).catch(() => {});
  }

  /** One whole line of JSON; U+2028 and U+2029 stay as they are, LF alone ends a line. */
  writeJson(value: unknown): Promise<void> {
    return this.write(`${JSON.stringify(value)}\n`);
  }

  /** The exit code: 0, because a reader that has left is a normal end; throws what else went wrong. */
  end(): 0 {
    if (!this.closed.aborted || this.closed.reason.code === "EPIPE") return 0;
    throw this.closed.reason;
  }
}
