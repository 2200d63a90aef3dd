import { type Frame, untilAborted } from "@muster/core";
import { Failure, headerOf } from "@muster/schema/wire";
import type { FrameSource, InlineDaemon } from "@muster/server";
import { ByteAnswer } from "../byte-answer.ts";
import type { Connection } from "../connection/connection.ts";

/** The daemon's own operations, without HTTP between. */
export function inlineConnection(daemon: InlineDaemon): Connection {
  return {
    endpoint: "this process",

    async call(id, { signal, ...parts }) {
      signal?.throwIfAborted();
      return await untilAborted(
        daemon.call(id, { ...parts, headers: headersOf(parts.headers) }).catch(throwOwn),
        signal,
      );
    },

    async bytes(id, { signal, ...parts }) {
      signal?.throwIfAborted();
      const { status, headers, bytes } = await untilAborted(
        daemon.bytes(id, { ...parts, headers: headersOf(parts.headers) }).catch(throwOwn),
        signal,
      );
      return new ByteAnswer(status, headers, streamOf(bytes, signal));
    },

    async frames(id, { signal, lastEventId, ...parts }) {
      signal?.throwIfAborted();
      const opening = daemon
        .frames(id, { ...parts, headers: headersOf({ ...parts.headers, lastEventId }) })
        .catch(throwOwn);
      // Opened after nobody wanted it any more.
      opening.then((source) => signal?.aborted && source?.close()).catch(() => {});
      const source = await untilAborted(opening, signal);
      return source && batchesOf(source, signal);
    },
  };
}

/** As they would travel. */
function headersOf(fields: Record<string, unknown> = {}): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [headerOf(name), String(value)]));
}

/** Begun at once: what is never read is left by its reader. */
function streamOf(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        signal?.throwIfAborted();
        const { done, value } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        await source.return?.();
        throw error;
      }
    },
    async cancel() {
      await source.return?.();
    },
  });
}

async function* batchesOf(source: FrameSource, signal: AbortSignal | undefined): AsyncGenerator<Frame[]> {
  const stop = () => source.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    signal?.throwIfAborted();
    for (;;) {
      const frames = await source.next();
      signal?.throwIfAborted();
      if (frames === null) return;
      yield framesIn(frames.bytes.toString());
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    source.close();
  }
}

/** Whole frames as the server writes them: an id where it has one, then one line of data. */
function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const frame of text.split("\n\n")) {
    if (frame === "") continue;
    const data = frame.indexOf("data: ");
    const id = frame.startsWith("id: ") ? frame.slice("id: ".length, frame.indexOf("\n")) : undefined;
    frames.push({ id, data: frame.slice(data + "data: ".length) });
  }
  return frames;
}

/** As published, the server brings a `Failure` of its own, which `instanceof` would not know. */
function throwOwn(error: unknown): never {
  if (error instanceof Failure || !(error instanceof Error) || error.name !== "Failure") throw error;
  const { code, message, status, fields } = error as Failure;
  throw new Failure(code, message, { ...fields, status });
}
