import { Failure, readFrames, type UniversalEvent } from "@muster/schema";
import { ConnectionFailure, reasonOf } from "./connection-failure.ts";

/** How a stream that was open comes back: doubling waits, at most `attempts` in a row without progress. */
export interface Reconnect {
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

export const defaultReconnect: Reconnect = { attempts: 10, firstDelayMs: 100, maxDelayMs: 5_000 };

/** Three heartbeats of the daemon: silence this long means the connection is dead. */
export const defaultSilenceMs = 45_000;

export interface StreamSource {
  endpoint: string;
  /** Opens the stream behind the event with this id, or from where the caller asked. */
  open(lastEventId: string | undefined): Promise<Response>;
  /** Whether the stream is over with this event; a stream without it goes on until it is aborted. */
  isLast?(event: UniversalEvent): boolean;
  /** The frames hold lines of an agent's own protocol: they have no sequence, only the stream's ids. */
  isNative?: boolean;
  reconnect: Reconnect;
  silenceMs: number;
  signal?: AbortSignal;
}

/**
 * Every event once and in order, over as many connections as it takes. The first connection must succeed; later ones
 * are tried again with growing waits, unless the daemon answers with a problem that waiting does not cure.
 */
export async function* readEvents(source: StreamSource): AsyncGenerator<UniversalEvent> {
  const lastSequence = new Map<string, number>();
  let lastEventId: string | undefined;
  let opened = false;
  let fruitless = 0;
  for (;;) {
    const startedAt = Date.now();
    let broken: unknown = new Error("the stream ended");
    try {
      const response = await source.open(lastEventId);
      opened = true;
      for await (const frame of readFrames(bodyOf(source.endpoint, response), source)) {
        lastEventId = frame.id ?? lastEventId;
        const event = source.isNative
          ? (JSON.parse(frame.data) as UniversalEvent)
          : eventOf(source.endpoint, frame.data);
        if (!source.isNative && event.sequence <= (lastSequence.get(event.sessionId) ?? 0)) continue;
        lastSequence.set(event.sessionId, event.sequence);
        fruitless = 0;
        yield event;
        if (source.isLast?.(event) === true) return;
      }
    } catch (error) {
      source.signal?.throwIfAborted();
      if (!opened || !isWorthRetrying(error)) throw error;
      broken = error;
    }
    // A quiet stream that a proxy closes now and then is healthy.
    fruitless = Date.now() - startedAt > source.silenceMs ? 1 : fruitless + 1;
    if (fruitless > source.reconnect.attempts) throw giveUpFailure(source, broken);
    await pause(delayOf(source.reconnect, fruitless), source.signal);
  }
}

function bodyOf(endpoint: string, response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body !== null && type.startsWith("text/event-stream")) return response.body;
  // Nobody reads this body; how its cancelling ends changes nothing.
  response.body?.cancel().catch(() => {});
  throw new NotTheDaemon(endpoint, "it did not answer with an event stream");
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

/** Trying again would give the same answer. */
class NotTheDaemon extends ConnectionFailure {}

function isWorthRetrying(error: unknown): boolean {
  if (error instanceof Failure) return error.status === 503 || error.status === 429;
  return !(error instanceof NotTheDaemon);
}

function giveUpFailure(source: StreamSource, error: unknown): Error {
  if (error instanceof Failure || error instanceof ConnectionFailure) return error;
  return new ConnectionFailure(source.endpoint, reasonOf(error), { cause: error });
}

/** Half of the wait is random, so that the readers of a restarted daemon do not come back in one moment. */
function delayOf({ firstDelayMs, maxDelayMs }: Reconnect, attempt: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
