import type { Frame } from "@muster/core";
import { Failure } from "@muster/schema/wire";
import { ConnectionFailure, NotTheDaemon, reasonOf } from "../connection/connection-failure.ts";
import type { UniversalEvent } from "../generated/types.ts";
import type { Readings } from "./readings.ts";
import { isWorthRetrying, type Reconnect, waitBefore } from "./reconnect.ts";

/** A stream that was open for so long was healthy: a proxy closes a quiet one now and then. */
const healthyMs = 45_000;

export interface StreamSource {
  endpoint: string;
  /** Opens the stream behind the event with this id, or from where the caller asked. */
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<AsyncIterable<readonly Frame[]> | undefined>;
  /** Whether the stream is over with this event; a stream without it goes on until it is aborted. */
  isLast?(event: UniversalEvent): boolean;
  /** The frames hold no events of sessions, such as lines of an agent's own protocol: they have only the stream's ids. */
  isNative?: boolean;
  /** Only what happens from now on: nothing comes again, but a session of which the id is used again counts from 1. */
  isLive?: boolean;
  reconnect: Reconnect;
  /** How often the first connection is tried again. */
  firstAttempts: number;
  signal?: AbortSignal;
  /** The reader has left. */
  leaving?: AbortSignal;
  readings: Readings;
}

/**
 * Every event once and in order, over as many connections as it takes. Connections that fail are tried again with
 * growing waits, unless the daemon answers with a problem that waiting does not cure.
 */
export async function* readEvents(source: StreamSource): AsyncGenerator<UniversalEvent> {
  const { endpoint, isNative, isLive, isLast, reconnect, leaving } = source;
  const lastSequence = new Map<string, number>();
  let lastEventId: string | undefined;
  let opened = false;
  let fruitless = 0;
  const reading = source.readings.open(source.signal, leaving);
  const { signal } = reading;
  try {
    for (;;) {
      const startedAt = Date.now();
      let broken: unknown = new Error("the stream ended");
      try {
        const batches = await source.open(lastEventId, signal);
        opened = true;
        for await (const frames of batches ?? []) {
          for (const frame of frames) {
            lastEventId = frame.id ?? lastEventId;
            const event = isNative ? (JSON.parse(frame.data) as UniversalEvent) : eventOf(endpoint, frame.data);
            if (!isNative && !isLive) {
              if (event.sequence <= (lastSequence.get(event.sessionId) ?? 0)) continue;
              lastSequence.set(event.sessionId, event.sequence);
            }
            fruitless = 0;
            yield event;
            if (isLast?.(event) === true) return;
            // What came together is not read on when nobody wants it any more.
            signal.throwIfAborted();
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!isWorthRetrying(error)) throw error;
        broken = error;
      }
      fruitless = opened && Date.now() - startedAt > healthyMs ? 1 : fruitless + 1;
      if (fruitless > (opened ? reconnect.attempts : source.firstAttempts)) throw giveUpFailure(endpoint, broken);
      await waitBefore(reconnect, fruitless, signal);
    }
  } catch (error) {
    if (!leaving?.aborted) throw error;
  } finally {
    reading.end();
  }
}

function eventOf(endpoint: string, data: string): UniversalEvent {
  try {
    const event = JSON.parse(data) as UniversalEvent;
    if (Number.isSafeInteger(event.sequence) && typeof event.sessionId === "string") return event;
  } catch {
    // Told below, with the frames that are JSON and no event.
  }
  throw new NotTheDaemon(endpoint, "it sent a frame that is not an event");
}

function giveUpFailure(endpoint: string, error: unknown): Error {
  if (error instanceof Failure || error instanceof ConnectionFailure) return error;
  return new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
}
