/** What was not read yet. With `dropped` > 0 that many bytes lay between head and tail; otherwise tail is empty. */
export interface Unread {
  head: Buffer;
  tail: Buffer;
  dropped: number;
}

/** Holds the first and the last bytes of a stream that may be endless; what lies between is only counted. */
export class OutputBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer[] = [];
  #headSize = 0;
  #ring: Buffer | null = null;
  #ringSeen = 0;

  constructor(limits: { headBytes: number; tailBytes: number }) {
    this.#headLimit = limits.headBytes;
    this.#tailLimit = limits.tailBytes;
  }

  append(bytes: Buffer): void {
    const room = this.#ringSeen > 0 ? 0 : this.#headLimit - this.#headSize;
    const first = bytes.subarray(0, room);
    if (first.length > 0) {
      // A copy: a view would keep the whole chunk of the stream alive.
      this.#head.push(Buffer.from(first));
      this.#headSize += first.length;
    }
    if (bytes.length > room) this.#appendToRing(bytes.subarray(room));
  }

  /** Takes everything that is held; `heldBack` decides how many bytes of the end stay for the next time. */
  take(heldBack: (bytes: Buffer) => number = () => 0): Unread {
    const head = Buffer.concat(this.#head);
    const tail = this.#readRing();
    const dropped = this.#ringSeen - tail.length;
    this.#head = [];
    this.#headSize = 0;
    this.#ringSeen = 0;
    this.#ring = null;
    const all = dropped > 0 ? { head, tail, dropped } : { head: Buffer.concat([head, tail]), tail: none, dropped: 0 };
    return this.#holdBack(all, heldBack);
  }

  #holdBack(all: Unread, heldBack: (bytes: Buffer) => number): Unread {
    const last = all.dropped > 0 ? all.tail : all.head;
    const held = heldBack(last);
    if (held === 0) return all;
    this.append(last.subarray(last.length - held));
    const shown = last.subarray(0, last.length - held);
    return all.dropped > 0 ? { ...all, tail: shown } : { ...all, head: shown };
  }

  #appendToRing(bytes: Buffer): void {
    this.#ring ??= Buffer.allocUnsafe(this.#tailLimit);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailLimit));
    const start = (this.#ringSeen + bytes.length - kept.length) % this.#tailLimit;
    const first = kept.subarray(0, this.#tailLimit - start);
    first.copy(this.#ring, start);
    kept.subarray(first.length).copy(this.#ring, 0);
    this.#ringSeen += bytes.length;
  }

  #readRing(): Buffer {
    if (this.#ring === null) return none;
    if (this.#ringSeen <= this.#tailLimit) return Buffer.from(this.#ring.subarray(0, this.#ringSeen));
    const start = this.#ringSeen % this.#tailLimit;
    return Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, start)]);
  }
}

const none = Buffer.alloc(0);
