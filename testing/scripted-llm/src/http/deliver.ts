import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Delivery } from "../script/faults.ts";

/** Writes a delivery at its pace. Resolves to false when the client (or the server) went away first. */
export async function deliver(response: ServerResponse, delivery: Delivery, signal: AbortSignal): Promise<boolean> {
  try {
    response.flushHeaders();
    for (const { bytes, delayMs } of delivery.pieces) {
      if (delayMs > 0) await wait(delayMs, undefined, { signal });
      if (signal.aborted) return false;
      if (bytes.length > 0 && !response.write(bytes)) await once(response, "drain", { signal });
    }
    if (delivery.end === "cut") await cut(response);
    else await finish(response, signal);
    return !signal.aborted || delivery.end === "cut";
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Everything written reaches the client before the connection breaks, so a drop is exact to the byte. */
async function cut(response: ServerResponse): Promise<void> {
  const socket = response.socket;
  if (socket === null || socket.destroyed) return;
  const closed = once(socket, "close");
  socket.destroySoon();
  await closed;
}

async function finish(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (response.writableFinished) return;
  const finished = once(response, "finish", { signal });
  response.end();
  await finished;
}
