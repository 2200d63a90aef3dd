import {
  type Operation,
  type OperationId,
  operations,
  type SendMessage,
  type UiChunk,
  type UniversalEvent,
} from "@muster/schema";
import { ConnectionFailure, reasonOf } from "./connection-failure.ts";
import { defaultReconnect, defaultSilenceMs, type Reconnect, readEvents } from "./event-stream.ts";
import { MessageEnd, newMessageId } from "./message-end.ts";
import { type Methods, methodsOf } from "./operation-methods.ts";
import type { CallId, InputArgument, Result, StreamId, UiId } from "./operation-types.ts";
import { baseOf, createTransport, type RequestParts, type TransportOptions } from "./transport.ts";
import { readChunks } from "./ui-stream.ts";

export interface ClientOptions extends TransportOptions {
  reconnect?: Partial<Reconnect>;
  /** A stream without even a heartbeat for this long counts as broken. */
  silenceMs?: number;
}

export interface Caller {
  /** Calls an operation that answers once. Throws `Failure` for a problem, `ConnectionFailure` without a daemon. */
  call<Id extends CallId>(id: Id, ...input: InputArgument<Id>): Promise<Result<Id>>;
  /**
   * Every event once and in order, also over dropped connections. Streams of events go on until aborted;
   * `sessions.streamMessage` ends with the turn of its message. Nothing is sent before the first event is asked for.
   */
  stream<Id extends StreamId>(id: Id, ...input: InputArgument<Id>): AsyncIterable<UniversalEvent>;
  /** Chunks for the AI SDK, over one connection; `ui.resume` tells a turn again from its beginning. */
  chunks<Id extends UiId>(id: Id, ...input: InputArgument<Id>): AsyncIterable<UiChunk>;
}

/** `call` and `stream` by operation id, and every operation as a method: `client.sessions.create({ … })`. */
export type Client = Caller & Methods;

/** Only fetch and web streams: runs in Node and in a browser. */
export function createClient(options: ClientOptions): Client {
  const caller = createCaller(options);
  return { ...caller, ...methodsOf(caller) };
}

function createCaller(options: ClientOptions): Caller {
  const endpoint = baseOf(options.endpoint);
  const send = createTransport(options);
  const reconnect = { ...defaultReconnect, ...options.reconnect };
  const silenceMs = options.silenceMs ?? defaultSilenceMs;

  return {
    async call(id, ...[input]) {
      const operation: Operation = operations[id];
      const response = await send(operation, input ?? {});
      return (await answerOf(endpoint, operation, response, input?.signal)) as Result<typeof id>;
    },

    stream(id, ...[input]) {
      const parts: RequestParts = input ?? {};
      const { isLast, open } = id === "sessions.streamMessage" ? messageStream(parts) : eventStream(id, parts);
      return readEvents({
        endpoint,
        reconnect,
        silenceMs,
        open,
        isLast,
        isNative: parts.query?.as !== undefined,
        signal: parts.signal,
      });
    },

    chunks: (id, ...[input]) => readChunks(endpoint, () => send(operations[id], input ?? {}), input?.signal),
  };

  function eventStream(id: OperationId, parts: RequestParts) {
    const open = (lastEventId: string | undefined) => send(operations[id], { ...parts, lastEventId });
    return { open, isLast: undefined };
  }

  /** Before the first event the message is sent again under the same id, afterwards the session's events are read. */
  function messageStream(parts: RequestParts) {
    const message = parts.body as SendMessage;
    const body = { ...message, messageId: message.messageId ?? newMessageId() };
    const turn = new MessageEnd(body.messageId);
    const events = eventStream("sessions.streamEvents", { ...parts, body: undefined });
    const open = (lastEventId: string | undefined) =>
      lastEventId === undefined
        ? send(operations["sessions.streamMessage"], { ...parts, body })
        : events.open(lastEventId);
    return { open, isLast: (event: UniversalEvent) => turn.isLast(event) };
  }
}

async function answerOf(endpoint: string, operation: Operation, response: Response, signal: AbortSignal | undefined) {
  const text = await response.text().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
  });
  if (operation.answer === "empty") return undefined;
  if (operation.answer === "text") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ConnectionFailure(endpoint, "its answer is not JSON", { cause: error });
  }
}
