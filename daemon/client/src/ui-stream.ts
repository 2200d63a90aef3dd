import type { UiChunk } from "@muster/schema";
import { readFrames } from "@muster/schema/wire";
import { ConnectionFailure, reasonOf } from "./connection-failure.ts";

/** What the daemon tells the AI SDK, up to `[DONE]`; nothing where it has nothing to tell (204). */
export async function* readChunks(
  endpoint: string,
  open: () => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<UiChunk> {
  const { body } = await open();
  if (body === null) return;
  try {
    for await (const { data } of readFrames(body)) {
      if (data === "[DONE]") return;
      yield JSON.parse(data) as UiChunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionFailure(endpoint, reasonOf(error), { cause: error });
  }
  throw new ConnectionFailure(endpoint, "the stream broke off before its end");
}
