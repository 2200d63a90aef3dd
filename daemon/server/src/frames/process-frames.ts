import type { FrameSource, WrittenFrame } from "@muster/http";
import { chunkOf } from "@muster/http";
import type { ChunkReader } from "@muster/sandbox";
import type { ProcessChunk } from "@muster/schema/wire";

/** What a process writes as frames; the id of each is the offset behind it, where a client that comes back goes on. */
export function processFrames(reader: Pick<ChunkReader, "next" | "close">, isText: boolean): FrameSource {
  return {
    async next() {
      const chunks = await reader.next();
      return chunks && chunkOf(chunks.map((chunk) => frameOf(isText ? withText(chunk) : chunk)));
    },
    close: () => reader.close(),
  };
}

/** Text in place of bytes that are whole characters; others stay as they are, and nothing is guessed. */
export function withText(chunk: ProcessChunk): ProcessChunk {
  if (chunk.type !== "output" || chunk.data === undefined) return chunk;
  try {
    const { data, ...rest } = chunk;
    return { ...rest, text: characters.decode(Buffer.from(data, "base64")) };
  } catch {
    // Not UTF-8, or a character that goes on in the next chunk.
    return chunk;
  }
}

const characters = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function frameOf(chunk: ProcessChunk): WrittenFrame {
  const id = chunk.type === "output" ? chunk.end : chunk.type === "damaged" ? undefined : chunk.offset;
  return { id, data: JSON.stringify(chunk) };
}
