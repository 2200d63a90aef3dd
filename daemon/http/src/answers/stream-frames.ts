import type { ServerResponse } from "node:http";
import type { FrameStream } from "./route-result.ts";

const heartbeatMs = 15_000;

/**
 * Writes frames as fast as the client takes them and no faster: what a slow client has not taken stays in the log, not
 * in our memory. Resolves when the source or the client is done.
 */
export async function streamFrames(
  response: ServerResponse,
  { source, position, headers }: FrameStream,
  further: Readonly<Record<string, string>>,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    ...further,
    ...headers,
  });
  if (response.req.method === "HEAD") {
    source.close();
    response.end();
    return;
  }
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  const beat = () => void (response.writableNeedDrain || response.write(`: ${position()}\n\n`));
  const heart = setInterval(beat, heartbeatMs).unref();
  const left = () => source.close();
  response.once("close", left);
  try {
    for (;;) {
      const frames = await source.next();
      if (frames === null || response.destroyed) break;
      if (!response.write(frames.bytes)) await waitForDrain(response);
      if (response.destroyed) break;
    }
  } finally {
    clearInterval(heart);
    response.off("close", left);
    source.close();
    response.end();
  }
}

/** Until the client has taken enough, or has gone. */
export function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}
