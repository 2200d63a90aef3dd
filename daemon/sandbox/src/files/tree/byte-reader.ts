import { Failure } from "@muster/schema/wire";
import type { Bytes } from "../file-call.ts";

/** Archives are filled up to blocks of 10 KiB, and on tapes to more. */
const mostBehind = 1024 * 1024;

/** Takes bytes in the portions that are asked for, however they come. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many; undefined at the end. An end in the middle is an archive that was cut off. */
  async block(size: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const piece of this.pieces(size, true)) {
      parts.push(piece);
      length += piece.length;
    }
    if (length === 0 && size > 0) return undefined;
    if (length < size) throw cutOff();
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** The next bytes, piece by piece. */
  async *pieces(size: number, mayEnd = false): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#source.next();
        if (done === true) {
          if (mayEnd) return;
          throw cutOff();
        }
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        continue;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async skip(size: number): Promise<void> {
    for await (const _ of this.pieces(size));
  }

  /** What is left, which means nothing: a body that is not read would leave its sender waiting. */
  async drain(): Promise<void> {
    for (let left = mostBehind - this.#rest.length; left >= 0; ) {
      const { done, value } = await this.#source.next();
      if (done === true) return;
      left -= value.length;
    }
    throw new Failure("archive_refused", "There is more behind the end of the archive than fills its last block");
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

function cutOff(): Failure {
  return new Failure("archive_refused", "The archive ends in the middle");
}
