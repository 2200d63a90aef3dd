import { type Frame, readFrameBatches } from "@muster/core";
import { ByteAnswer } from "../byte-answer.ts";
import { Reading } from "../reading.ts";
import type { Connection } from "./connection.ts";
import { ConnectionFailure, NotTheDaemon, reasonOf } from "./connection-failure.ts";
import { operations } from "./generated/operations.ts";
import type { OperationRow } from "./operation-row.ts";
import { baseOf, createTransport, type TransportOptions } from "./transport.ts";

export interface HttpOptions extends TransportOptions {
  /** A stream without even a heartbeat for this long counts as broken. */
  silenceMs?: number | undefined;
}

/** Three heartbeats of the daemon: silence this long means the connection is dead. */
const defaultSilenceMs = 45_000;

/** Only fetch and web streams: runs in Node and in a browser. */
export function httpConnection(options: HttpOptions): Connection {
  const endpoint = baseOf(options.endpoint);
  const send = createTransport(options);
  const { silenceMs = defaultSilenceMs } = options;
  return {
    endpoint,

    async call(id, parts) {
      const operation = operations[id];
      const response = await send(operation, parts);
      const text = await response.text().catch((error: unknown) => {
        parts.signal?.throwIfAborted();
        throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
      });
      return answerOf(endpoint, operation, text);
    },

    async bytes(id, parts) {
      const { status, headers, body } = await send(operations[id], parts);
      return new ByteAnswer(status, Object.fromEntries(headers), body ?? new Blob([]).stream());
    },

    async frames(id, parts) {
      const reading = new Reading([parts.signal]);
      const silent = new ConnectionFailure(endpoint, `nothing came for ${silenceMs} ms`);
      const timer = setTimeout(() => reading.abort(silent), silenceMs);
      try {
        const response = await send(operations[id], { ...parts, signal: reading.signal });
        if (response.status !== 204) {
          return untilRead(readFrameBatches(bodyOf(endpoint, response), { silenceMs }), reading);
        }
      } catch (error) {
        reading.end();
        throw error;
      } finally {
        clearTimeout(timer);
      }
      reading.end();
      return undefined;
    },
  };
}

async function* untilRead(
  batches: AsyncIterable<readonly Frame[]>,
  reading: Reading,
): AsyncGenerator<readonly Frame[]> {
  try {
    yield* batches;
  } finally {
    reading.end();
  }
}

function answerOf(endpoint: string, { answer }: OperationRow, text: string): unknown {
  if (answer === "empty") return undefined;
  if (answer === "text") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ConnectionFailure(endpoint, "its answer is not JSON", { cause: error });
  }
}

function bodyOf(endpoint: string, response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body !== null && type.startsWith("text/event-stream")) return response.body;
  // Nobody reads this body; how its cancelling ends changes nothing.
  response.body?.cancel().catch(() => {});
  throw new NotTheDaemon(endpoint, "it did not answer with an event stream");
}
