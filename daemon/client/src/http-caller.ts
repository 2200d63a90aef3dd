import type { OperationId, SendMessage, UiChunk, UniversalEvent } from "@muster/schema";
import { Failure } from "@muster/schema/wire";
import type { Caller } from "./caller.ts";
import { ConnectionFailure, reasonOf } from "./connection-failure.ts";
import { defaultSilenceMs, readEvents, type StreamSource } from "./event-stream.ts";
import { operations } from "./generated/operations.ts";
import { MessageEnd } from "./message-end.ts";
import { newId } from "./new-id.ts";
import type { OperationRow } from "./operation-row.ts";
import type { Result } from "./operation-types.ts";
import { Readings } from "./readings.ts";
import { defaultReconnect, firstAttempts, isWorthRetrying, type Reconnect, waitBefore } from "./reconnect.ts";
import { baseOf, createTransport, type RequestParts, type TransportOptions } from "./transport.ts";
import { readChunks } from "./ui-stream.ts";

export interface ClientOptions extends TransportOptions {
  reconnect?: Partial<Reconnect>;
  /** A stream without even a heartbeat for this long counts as broken. */
  silenceMs?: number;
}

interface Input extends RequestParts {
  retry?: boolean;
}

/** Only fetch and web streams: runs in Node and in a browser. */
export function createCaller(options: ClientOptions): Caller {
  const endpoint = baseOf(options.endpoint);
  const transport = createTransport(options);
  const reconnect = { ...defaultReconnect, ...options.reconnect };
  const silenceMs = options.silenceMs ?? defaultSilenceMs;
  const readings = new Readings();
  let isReached = false;

  return {
    async call(id, ...[input]) {
      const { retry, ...parts }: Input = input ?? {};
      for (let attempt = 1; ; attempt++) {
        try {
          const response = await send(operations[id], parts);
          return (await answerOf(endpoint, operations[id], response, parts.signal)) as Result<typeof id>;
        } catch (error) {
          parts.signal?.throwIfAborted();
          if (attempt > attemptsOf(retry) || !isWorthRetrying(error)) throw error;
          await waitBefore(reconnect, attempt, parts.signal);
        }
      }
    },

    stream(id, ...[input]) {
      const { retry, signal, ...parts }: Input = input ?? {};
      const way = id === "sessions.streamMessage" ? messageStream(parts) : eventStream(id, parts);
      const isNative = parts.query?.as !== undefined;
      const first = attemptsOf(retry);
      return readEvents({ endpoint, reconnect, silenceMs, readings, signal, isNative, firstAttempts: first, ...way });
    },

    async *chunks(id, ...[input]): AsyncGenerator<UiChunk> {
      const reading = readings.open(input?.signal);
      const { signal } = reading;
      try {
        yield* readChunks(endpoint, () => send(operations[id], { ...input, signal }), signal);
      } finally {
        reading.end();
      }
    },

    close: () => readings.close(),
  };

  async function send(operation: OperationRow, parts: RequestParts): Promise<Response> {
    try {
      const response = await transport(operation, parts);
      isReached = true;
      return response;
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
    const open: StreamSource["open"] = (lastEventId, signal) => send(operations[id], { ...parts, lastEventId, signal });
    return { open };
  }

  /** Before the first event the message is sent again under the same id, afterwards the session's events are read. */
  function messageStream(parts: RequestParts) {
    const message = parts.body as SendMessage;
    const body = { ...message, messageId: message.messageId ?? newId("msg") };
    const turn = new MessageEnd(body.messageId);
    const events = eventStream("sessions.streamEvents", { ...parts, body: undefined });
    const open: StreamSource["open"] = (lastEventId, signal) =>
      lastEventId === undefined
        ? send(operations["sessions.streamMessage"], { ...parts, body, signal })
        : events.open(lastEventId, signal);
    return { open, isLast: (event: UniversalEvent) => turn.isLast(event) };
  }
}

async function answerOf(endpoint: string, { answer }: OperationRow, response: Response, signal?: AbortSignal) {
  const text = await response.text().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
  });
  if (answer === "empty") return undefined;
  if (answer === "text") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ConnectionFailure(endpoint, "its answer is not JSON", { cause: error });
  }
}
