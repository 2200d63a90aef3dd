/** Bytes with what was told about them. They are read once, by one of the ways below, or left with `cancel`. */
export class ByteAnswer {
  /** 200 for all of them, 206 for the part that was asked for, 304 where the caller has them already. */
  readonly status: number;
  /** By its name in small letters: `etag`, `content-length`, `content-range`. */
  readonly headers: Readonly<Record<string, string>>;
  /** As they come. */
  readonly stream: ReadableStream<Uint8Array>;

  constructor(status: number, headers: Readonly<Record<string, string>>, stream: ReadableStream<Uint8Array>) {
    this.status = status;
    this.headers = headers;
    this.stream = stream;
  }

  get etag(): string | undefined {
    return this.headers.etag;
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer());
  }

  /** In UTF-8. */
  text(): Promise<string> {
    return new Response(this.stream).text();
  }

  /** Leaves what was not read. */
  async cancel(): Promise<void> {
    await this.stream.cancel();
  }
}
