import { once } from "node:events";
import type { Writable } from "node:stream";
import { exitCodes } from "./exit.ts";

/** The width of a terminal; undefined where nobody looks. */
export function columnsOf({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | undefined {
  return isTTY === true ? columns || 80 : undefined;
}

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

  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0 || this.closed.aborted || this.#stream.write(text)) return;
    // `closed` tells the reason to whoever writes next.
    await once(this.#stream, "drain", { signal: this.closed }).catch(() => {});
  }

  /** The exit code; a reader that has left is a normal end. */
  end(): number {
    if (!this.closed.aborted || this.closed.reason.code === "EPIPE") return exitCodes.ok;
    throw this.closed.reason;
  }
}
