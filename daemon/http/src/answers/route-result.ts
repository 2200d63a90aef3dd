import type { FrameSource } from "../frames/frame-source.ts";

/** JSON that is bytes already. */
export class JsonBytes {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** An answer with another status than the table's. */
export class WithStatus {
  readonly status: number;
  readonly value: unknown;
  constructor(status: number, value: unknown) {
    this.status = status;
    this.value = value;
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
