/** Reads a stream of chunks in the pieces a format needs. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly this many bytes, or fewer at the end of the stream. For small pieces. */
  async read(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(length)) pieces.push(piece);
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }

  /** The next bytes as they come. Must be read to its end before anything else is read. */
  async *pieces(length: number): AsyncGenerator<Buffer> {
    let missing = length;
    while (missing > 0) {
      if (this.#left.length === 0) {
        const { value, done } = await this.#source.next();
        if (done === true) return;
        this.#left = value;
      }
      const piece = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(piece.length);
      missing -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.pieces(length));
  }
}
