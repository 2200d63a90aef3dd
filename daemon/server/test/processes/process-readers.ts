import { createHash } from "node:crypto";
import type { ProcessChunk } from "@muster/schema";

export interface LogReading {
  /** Follows the log until its end, through every cut. */
  read(): Promise<{ bytes: number; stdout: string; cuts: number; chunks: Exclude<ProcessChunk, { type: "output" }>[] }>;
}

/**
 * A client of `/processes/{id}/logs/sse` that is cut off after a random number of bytes and comes back with the offset it
 * has reached. Bytes that come twice, or not at all, are thrown as errors; the digest is of all of them.
 */
export function cutReader(
  urlOf: () => string,
  { processId, random, meanCut = 4 * 1024 * 1024 }: { processId: string; random: () => number; meanCut?: number },
): LogReading {
  return {
    async read() {
      const digest = createHash("sha256");
      const others: Exclude<ProcessChunk, { type: "output" }>[] = [];
      let [offset, cuts] = [0, 0];
      for (;;) {
        const stop = new AbortController();
        let left = Math.floor(random() * 2 * meanCut) + 1;
        try {
          const response = await fetch(`${urlOf()}/processes/${processId}/logs/sse`, {
            headers: { "last-event-id": String(offset) },
            signal: stop.signal,
          });
          if (!response.ok || response.body === null) throw new Error(await response.text());
          for await (const chunk of chunksOf(response.body)) {
            if (chunk.type !== "output") {
              others.push(chunk);
              if (chunk.type === "ended") return { bytes: offset, stdout: digest.digest("hex"), cuts, chunks: others };
              continue;
            }
            if (chunk.offset !== offset) throw new DoubledOrLost(`${chunk.offset} came where ${offset} should be`);
            const bytes = Buffer.from(chunk.data ?? "", "base64");
            if (bytes.length !== chunk.end - chunk.offset)
              throw new DoubledOrLost(`${bytes.length} bytes of ${chunk.end}`);
            digest.update(bytes);
            offset = chunk.end;
            left -= bytes.length;
            if (left < 0) break;
          }
        } catch (error) {
          if (error instanceof DoubledOrLost) throw error;
          // The daemon was killed: its address is another when it is back.
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        cuts++;
        stop.abort();
      }
    },
  };
}

class DoubledOrLost extends Error {}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ProcessChunk> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      const data = frame.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield JSON.parse(data.slice("data: ".length)) as ProcessChunk;
    }
  }
}

/** A program that writes so many bytes that are never the same, and the sum of all. */
export const printer = `
const { createHash, randomBytes } = require("node:crypto");
const { writeSync } = require("node:fs");
let left = Number(process.argv[1]);
const digest = createHash("sha256");
const block = randomBytes(65536);
for (let n = 0; left > 0; n++) {
  block.writeUInt32BE(n, 0);
  const bytes = block.subarray(0, Math.min(left, 1 + Math.floor(Math.random() * 65536)));
  digest.update(bytes);
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(1, bytes, at); } catch (error) { if (error.code !== "EAGAIN") throw error; }
  }
  left -= bytes.length;
}
require("node:fs").writeFileSync(process.argv[2], digest.digest("hex"));
`;
