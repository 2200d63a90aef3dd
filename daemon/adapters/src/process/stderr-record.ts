import type { StderrExcerpt } from "@muster/schema";

export const noStderr: StderrExcerpt = { head: "", tail: "", truncated: false, totalLines: 0 };

const headBytes = 8 * 1024;
const tailBytes = 8 * 1024;

/** Keeps the first and the last of what a process wrote to stderr, and how much there was. */
export class StderrRecord {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #totalBytes = 0;
  #newlines = 0;
  #endsWithNewline = true;

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#totalBytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#newlines++;
    this.#endsWithNewline = chunk[chunk.length - 1] === 10;
    const toHead = chunk.subarray(0, headBytes - this.#head.length);
    if (toHead.length > 0) this.#head = Buffer.concat([this.#head, toHead]);
    const rest = chunk.subarray(toHead.length);
    if (rest.length === 0) return;
    const tail = Buffer.concat([this.#tail, rest.subarray(-tailBytes)]);
    // Copied, so that 8 KiB do not keep the whole chunk alive.
    this.#tail = tail.length > tailBytes ? Buffer.from(tail.subarray(-tailBytes)) : tail;
  }

  excerpt(): StderrExcerpt {
    return {
      head: this.#head.toString("utf8"),
      tail: this.#tail.toString("utf8"),
      truncated: this.#totalBytes > this.#head.length + this.#tail.length,
      totalLines: this.#newlines + (this.#endsWithNewline ? 0 : 1),
    };
  }
}
