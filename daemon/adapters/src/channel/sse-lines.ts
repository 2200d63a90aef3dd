import { type Line, LineSplitter } from "./jsonl.ts";

/**
 * Reads the `data:` of server-sent events, one line per event, one call per chunk; other fields are passed over. Resolves
 * at the end of the stream, rejects when it broke off or the signal says so.
 */
export async function readSseLines(body: ReadableStream<Uint8Array>, onLines: (lines: Line[]) => void): Promise<void> {
  const splitter = new LineSplitter();
  let event: string[] = [];
  for await (const chunk of body) {
    const lines: Line[] = [];
    for (const line of splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      if (typeof line !== "string") lines.push(line);
      else if (line.startsWith("data:")) event.push(line.slice(line[5] === " " ? 6 : 5));
      else if (line === "" && event.length > 0) {
        lines.push(event.join("\n"));
        event = [];
      }
    }
    if (lines.length > 0) onLines(lines);
  }
}
