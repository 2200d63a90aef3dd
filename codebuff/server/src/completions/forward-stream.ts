import type { IncomingMessage, ServerResponse } from "node:http";
import { FrameCutter } from "@muster/node";
import type { PassedCall } from "../admission/pass-gates.ts";
import { errorFields } from "../log.ts";
import { outputUnits } from "../routing/estimate.ts";
import type { Service } from "../service.ts";
import { bill, type Used } from "./bill.ts";
import { OutputCounter } from "./output-counter.ts";
import { creditsOf } from "./shown-usage.ts";
import type { Upstream } from "./upstream.ts";
import { UsageGate } from "./usage-gate.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Forwards a stream frame by frame, untouched but for the last usage. Resolves when the call is settled and everything is
 * written, or the client is gone. The answer is cut where the provider's was cut.
 */
export async function forwardStream(
  call: PassedCall,
  upstream: Upstream,
  source: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<void> {
  const { heartbeatMs, stalledMs, lastWordsMs } = service.times;
  const cutter = new FrameCutter();
  const gate = new UsageGate();
  const counter = new OutputCounter();
  let isGone = response.destroyed;
  let wasAbandoned = false;

  // A first word that came with the head goes out with ours, one write for both; a head that came alone does not wait long.
  response.cork();
  let isCorked = true;
  const uncork = () => {
    if (isCorked) response.uncork();
    isCorked = false;
  };
  setImmediate(uncork);
  response.writeHead(200, { ...headers, "x-request-id": call.requestId });
  response.write(": codebuff\n\n");
  service.calls.add({
    requestId: call.requestId,
    outputUnits: () => outputUnits(call.chat.model, counter.characters, service.config.prices),
    abandon: () => {
      wasAbandoned = true;
      upstream.destroy();
    },
  });

  const heartbeat = setInterval(() => {
    if (!isGone && !response.writableNeedDrain) response.write(": heartbeat\n\n");
  }, heartbeatMs);
  let stalled: NodeJS.Timeout | undefined;
  let lastWords: NodeJS.Timeout | undefined;

  const clientLeft = () => {
    if (isGone) return;
    isGone = true;
    clearTimeout(stalled);
    source.resume();
    lastWords = setTimeout(() => upstream.destroy(), lastWordsMs);
  };
  const write = (buffers: readonly Buffer[]) => {
    if (isGone) return;
    for (const buffer of buffers) if (buffer.length > 0) response.write(buffer);
    uncork();
    if (!response.writableNeedDrain) return;
    source.pause();
    stalled ??= setTimeout(() => response.destroy(), stalledMs);
  };
  response.on("close", clientLeft);
  response.on("drain", () => {
    clearTimeout(stalled);
    stalled = undefined;
    if (!gate.isDone) source.resume();
  });
  if (isGone) {
    isGone = false;
    clientLeft();
  }

  const take = (slice: Buffer) => {
    if (slice.length === 0) return;
    counter.push(slice);
    write(gate.pass(slice));
  };
  await new Promise<void>((resolve) => {
    source.on("data", (chunk: Buffer) => {
      // Whatever a provider says after its end is said to nobody.
      if (gate.isDone) return;
      try {
        take(cutter.push(chunk));
        if (gate.isDone) resolve();
      } catch (error) {
        service.log("warn", "a provider's stream is broken", { requestId: call.requestId, ...errorFields(error) });
        upstream.destroy();
      }
    });
    source
      .on("end", () => {
        // Some end their last frame with the stream and not with a blank line.
        if (!gate.isDone) take(cutter.rest());
        resolve();
      })
      .on("close", resolve)
      .on("error", () => resolve());
  });

  clearInterval(heartbeat);
  clearTimeout(lastWords);
  try {
    const outcome = outcomeOf(gate.isDone, wasAbandoned, isGone);
    const settled = await bill(
      call,
      {
        parts: [{ usage: gate.usage, outputCharacters: charactersFor(gate, counter) }],
        serviceId: counter.serviceId,
        outcome,
      },
      service,
    );
    write(gate.end(creditsOf(settled)));
    stalled ??= setTimeout(() => response.destroy(), stalledMs);
    if (gate.isDone) await finish(response);
    else cut(response);
  } catch (error) {
    // The client has not seen the end, so it does not take this for a complete answer; the lease settles the call.
    response.destroy();
    throw error;
  } finally {
    clearTimeout(stalled);
    response.off("close", clientLeft);
    endSoon(source, upstream, lastWordsMs);
    service.calls.remove(call.requestId);
  }
}

/** A connection that ends now is used again; a provider that goes on after its end is left. */
function endSoon(source: IncomingMessage, upstream: Upstream, withinMs: number): void {
  if (source.closed) return;
  const timer = setTimeout(() => upstream.destroy(), withinMs);
  timer.unref();
  source.once("close", () => clearTimeout(timer)).resume();
}

function charactersFor(gate: UsageGate, counter: OutputCounter): number {
  return gate.usage === undefined ? counter.characters : 0;
}

function outcomeOf(isDone: boolean, wasAbandoned: boolean, isGone: boolean): Used["outcome"] {
  if (isDone) return "completed";
  if (wasAbandoned) return "shut down";
  return isGone ? "client gone" : "cut off";
}

/** Resolves when the last byte is out, or the client is gone. */
function finish(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on("close", resolve);
    response.end(() => resolve());
    if (response.destroyed) resolve();
  });
}

/** What was written still goes out; then the connection breaks without the end of the answer. */
function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket && !socket.destroyed) socket.destroySoon();
  else response.destroy();
}
