/** Of a sequence that is longer than this the rest is shown as it comes. */
const longest = 1024 * 1024;
const escapeByte = 0x1b;

/** The end of what a terminal has read that it has not yet understood: a sequence or a character that goes on. */
export class UnfinishedEnd {
  #bytes = Buffer.alloc(0);

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** `isInSequence`: what the parser says after these bytes. */
  add(bytes: Buffer, isInSequence: boolean): void {
    const all = Buffer.concat([this.#bytes, bytes]);
    if (!isInSequence) {
      this.#bytes = all.subarray(characterStart(all));
      return;
    }
    const start = Math.max(all.lastIndexOf(escapeByte), controlStart(all));
    this.#bytes = start < 0 || all.length - start > longest ? Buffer.alloc(0) : all.subarray(start);
  }
}

/** Where a character begins that needs more bytes; the length where none does. */
function characterStart(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The last control character of one byte (CSI, OSC …), which in UTF-8 are two. */
function controlStart(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(0xc2); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0xc2, at - 1)) {
    if ([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f].includes(bytes[at + 1] ?? 0)) return at;
  }
  return -1;
}
