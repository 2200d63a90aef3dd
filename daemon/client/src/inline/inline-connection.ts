import { type Frame, untilAborted } from "@muster/core";
import { Failure } from "@muster/schema/wire";
import type { FrameSource, InlineDaemon } from "@muster/server";
import type { Connection } from "../connection/connection.ts";

/** The daemon's own operations, without HTTP between. */
export function inlineConnection(daemon: InlineDaemon): Connection {
  return {
    endpoint: "this process",

    async call(id, { signal, ...parts }) {
      signal?.throwIfAborted();
      return await untilAborted(daemon.call(id, parts).catch(throwOwn), signal);
    },

    async frames(id, { signal, lastEventId, ...parts }) {
      signal?.throwIfAborted();
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
      const opening = daemon.frames(id, { ...parts, headers }).catch(throwOwn);
      // Opened after nobody wanted it any more.
      opening.then((source) => signal?.aborted && source?.close()).catch(() => {});
      const source = await untilAborted(opening, signal);
      return source && batchesOf(source, signal);
    },
  };
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
