import { Failure } from "@muster/schema/wire";
import type { CallOptions } from "./call-options.ts";
import { callTimeout } from "./call-timeout.ts";
import type { Caller } from "./caller.ts";
import type { Connection, RequestParts } from "./connection/connection.ts";
import { isStream } from "./content.ts";
import type { SendMessage, UniversalEvent } from "./generated/types.ts";
import { newId } from "./new-id.ts";
import type { OperationId, Result } from "./operation-types.ts";
import { readEvents, type StreamSource } from "./stream/event-stream.ts";
import { leavable } from "./stream/leavable.ts";
import { MessageEnd } from "./stream/message-end.ts";
import { Readings } from "./stream/readings.ts";
import { defaultReconnect, firstAttempts, isWorthRetrying, type Reconnect, waitBefore } from "./stream/reconnect.ts";
import { readChunks } from "./stream/ui-stream.ts";

export interface CallerOptions {
  /** How often and how fast what was cut off is tried again. */
  reconnect?: Partial<Reconnect> | undefined;
  /** What a call may take, in milliseconds; 60 000 by default, and more where an agent may have to be installed. */
  timeoutMs?: number | undefined;
}

interface Input extends RequestParts, CallOptions {}

/** Calls that are repeated and streams that come back, over any way to a daemon. */
export function createCaller(connection: Connection, options: CallerOptions = {}): Caller {
  const { endpoint } = connection;
  const reconnect = { ...defaultReconnect, ...options.reconnect };
  const readings = new Readings();
  let isReached = false;

  return {
    async call(id, ...[input]) {
      const { retry, timeoutMs, ...parts }: Input = input ?? {};
      const timeout = callTimeout(id, timeoutMs ?? options.timeoutMs, endpoint);
      const reading = readings.open(parts.signal, timeout.signal);
      const { signal } = reading;
      try {
        for (let attempt = 1; ; attempt++) {
          try {
            signal.throwIfAborted();
            return (await noting(connection.call(id, { ...parts, signal }))) as Result<typeof id>;
          } catch (error) {
            signal.throwIfAborted();
            if (attempt > attemptsOf(retry) || !isWorthRetrying(error) || isStream(parts.body)) throw error;
            await waitBefore(reconnect, attempt, signal);
          }
        }
      } finally {
        timeout.clear();
        reading.end();
      }
    },

    async bytes(id, ...[input]) {
      const { retry: _, timeoutMs, ...parts }: Input = input ?? {};
      const timeout = callTimeout(id, timeoutMs ?? options.timeoutMs, endpoint);
      const signal = parts.signal === undefined ? timeout.signal : AbortSignal.any([parts.signal, timeout.signal]);
      try {
        return await noting(connection.bytes(id, { ...parts, signal }));
      } finally {
        // Only the head has a time: the bytes take as long as they come.
        timeout.clear();
      }
    },

    stream(id, ...[input]) {
      const { retry, signal, timeoutMs: _, ...parts }: Input = input ?? {};
      const way = id === "sessions.streamMessage" ? messageStream(parts) : eventStream(id, parts);
      const isOutput = id === "processes.streamLogs";
      // The log of a process and changes of files have no session either; the last line of a log says that it is the last.
      const isNative = parts.query?.as !== undefined || isOutput || id === "files.watch";
      const isLast = isOutput ? ({ type }: { type: string }) => type === "ended" : undefined;
      const isLive = id === "events.stream" && !parts.query?.sessions;
      const source = { endpoint, reconnect, readings, signal, isNative, isLive, ...(isLast && { isLast }), ...way };
      const events = leavable((leaving) => readEvents({ ...source, leaving, firstAttempts: attemptsOf(retry) }));
      return events as AsyncIterable<Result<typeof id>>;
    },

    chunks(id, ...[input]) {
      const { retry: _, timeoutMs: __, signal, ...parts }: Input = input ?? {};
      const open = (signal: AbortSignal) => noting(connection.frames(id, { ...parts, signal }));
      return leavable((leaving) => readChunks({ endpoint, readings, open, signal, leaving }));
    },

    close: () => readings.close(),
  };

  /** Takes note that there is a daemon. */
  async function noting<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      isReached = true;
      return value;
    } catch (error) {
      if (error instanceof Failure) isReached = true;
      throw error;
    }
  }

  function attemptsOf(retry: boolean | undefined): number {
    if (!retry) return 0;
    return isReached ? reconnect.attempts : Math.min(firstAttempts, reconnect.attempts);
  }

  function eventStream(id: OperationId, parts: RequestParts) {
    const open: StreamSource["open"] = (lastEventId, signal) =>
      noting(connection.frames(id, { ...parts, lastEventId, signal }));
    return { open };
  }

  /** Before the first event the message is sent again under the same id, afterwards the session's events are read. */
  function messageStream(parts: RequestParts) {
    const message = parts.body as SendMessage;
    const body = { ...message, messageId: message.messageId ?? newId("msg") };
    const turn = new MessageEnd(body.messageId);
    const sending = eventStream("sessions.streamMessage", { ...parts, body });
    const reading = eventStream("sessions.streamEvents", { ...parts, body: undefined });
    const open: StreamSource["open"] = (lastEventId, signal) =>
      (lastEventId === undefined ? sending : reading).open(lastEventId, signal);
    return { open, isLast: (event: UniversalEvent) => turn.isLast(event) };
  }
}
