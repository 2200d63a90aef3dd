/** More is given back: an event of a megabyte is rare. */
const keptBytes = 1024 * 1024;
const quote = 34;
const backslash = 92;
const [firstPlain, lastPlain] = [32, 126];
const zero = 48;

/**
 * Memory in which lines are put together byte by byte: no text of a line is ever made. One serves all logs of an engine,
 * because nobody can wait between the first and the last byte of an append.
 */
export class LinePage {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #used = 0;

  /**
   * What `add` puts on the page, in memory of its own. It returns `undefined` and not `void`: the compiler then refuses a
   * function that waits, with which the lines of two logs would run into each other.
   */
  fill(add: () => undefined): Buffer {
    this.#used = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(keptBytes);
    add();
    return Buffer.from(this.#bytes.subarray(0, this.#used));
  }

  get used(): number {
    return this.#used;
  }

  addByte(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#used++] = byte;
  }

  addBytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  addText(text: string): void {
    this.#makeRoom(text.length * 3);
    this.#used += this.#bytes.write(text, this.#used);
  }

  addNumber(value: number): void {
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    this.#makeRoom(digits);
    let rest = value;
    for (let at = this.#used + digits - 1; at >= this.#used; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = zero + rest - tens * 10;
      rest = tens;
    }
    this.#used += digits;
  }

  /** A text as JSON. Most have nothing to escape, and are only copied. */
  addJson(text: string): void {
    this.#makeRoom(text.length + 2);
    const bytes = this.#bytes;
    let at = this.#used;
    bytes[at++] = quote;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < firstPlain || code > lastPlain || code === quote || code === backslash) {
        return this.addText(JSON.stringify(text));
      }
      bytes[at++] = code;
    }
    bytes[at++] = quote;
    this.#used = at;
  }

  #makeRoom(size: number): void {
    if (this.#used + size <= this.#bytes.length) return;
    const roomy = Buffer.allocUnsafe(Math.max(this.#used + size, this.#bytes.length * 2));
    this.#bytes.copy(roomy, 0, 0, this.#used);
    this.#bytes = roomy;
  }
}
