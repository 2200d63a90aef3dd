import type { Frame } from "@muster/core";
import { Failure } from "@muster/schema/wire";
import { ConnectionFailure, reasonOf } from "../connection/connection-failure.ts";
import type { UiChunk } from "../generated/types.ts";
import type { Readings } from "./readings.ts";

export interface ChunkSource {
  endpoint: string;
  open(signal: AbortSignal): Promise<AsyncIterable<readonly Frame[]> | undefined>;
  signal?: AbortSignal;
  /** The reader has left. */
  leaving?: AbortSignal;
  readings: Readings;
}

/** What the daemon tells the AI SDK, up to `[DONE]`; nothing where it has nothing to tell. */
export async function* readChunks(source: ChunkSource): AsyncGenerator<UiChunk> {
  const { endpoint, open, signal, leaving, readings } = source;
  const reading = readings.open(signal, leaving);
  try {
    const batches = await open(reading.signal);
    if (batches === undefined) return;
    for await (const frames of batches) {
      for (const { data } of frames) {
        if (data === "[DONE]") return;
        yield JSON.parse(data) as UiChunk;
        reading.signal.throwIfAborted();
      }
    }
  } catch (error) {
    if (leaving?.aborted) return;
    reading.signal.throwIfAborted();
    if (error instanceof Failure || error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
  } finally {
    reading.end();
  }
  throw new ConnectionFailure(endpoint, "the stream broke off before its end");
}
