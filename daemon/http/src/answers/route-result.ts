import type { FrameSource } from "../frames/frame-source.ts";

/** JSON that is bytes already. */
export class JsonBytes {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** An answer with another status than the table's, or with headers of its own. */
export class WithStatus {
  readonly status: number;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>> | undefined;
  constructor(status: number, value: unknown, headers?: Readonly<Record<string, string>>) {
    this.status = status;
    this.value = value;
    this.headers = headers;
  }
}

/** An answer of bytes as they come: begun in any case, and read to its end or returned. */
export class ByteStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: AsyncIterable<Uint8Array>;
  constructor(status: number, headers: Readonly<Record<string, string>>, bytes: AsyncIterable<Uint8Array>) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }
}

/** An answer that goes on: frames, for whoever is to have them. */
export class FrameStream {
  readonly source: FrameSource;
  /** How far it is, for the heartbeats of a quiet stream. */
  readonly position: () => number | string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(source: FrameSource, position: () => number | string, headers: Readonly<Record<string, string>> = {}) {
    this.source = source;
    this.position = position;
    this.headers = headers;
  }
}
