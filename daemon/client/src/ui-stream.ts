import type { UiChunk } from "@muster/schema";
import { Failure, type Frame } from "@muster/schema/wire";
import { ConnectionFailure, reasonOf } from "./connection-failure.ts";
import type { Readings } from "./readings.ts";

export interface ChunkSource {
  endpoint: string;
  open(signal: AbortSignal): Promise<AsyncIterable<readonly Frame[]> | undefined>;
  signal?: AbortSignal;
  readings: Readings;
}

/** What the daemon tells the AI SDK, up to `[DONE]`; nothing where it has nothing to tell. */
export async function* readChunks({ endpoint, open, signal, readings }: ChunkSource): AsyncGenerator<UiChunk> {
  const reading = readings.open(signal);
  try {
    const batches = await open(reading.signal);
    if (batches === undefined) return;
    for await (const frames of batches) {
      for (const { data } of frames) {
        if (data === "[DONE]") return;
        yield JSON.parse(data) as UiChunk;
      }
    }
  } catch (error) {
    reading.signal.throwIfAborted();
    if (error instanceof Failure || error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
  } finally {
    reading.end();
  }
  throw new ConnectionFailure(endpoint, "the stream broke off before its end");
}
