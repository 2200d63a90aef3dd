import { Readable, type Transform } from "node:stream";
import type { Bytes } from "../file-call.ts";

/** Bytes as a stream turns them, no faster than they are taken. */
export async function* through(transform: Transform, bytes: Bytes): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
  source.on("error", (error) => transform.destroy(error));
  source.pipe(transform);
  try {
    yield* transform as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
    transform.destroy();
  }
}
